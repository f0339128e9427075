//! The page of a tournament: standings, ratings, who met whom, lengths, time, faults, and the way to each game's log.

use std::collections::BTreeMap;

use super::faults::{ShownFault, faults};
use super::{Bins, Html, Scale, document, table};
use crate::report::standings::{block, sections};
use crate::report::text;
use crate::seat::Seat;
use crate::tournament::Entrant;
use crate::tournament::played::{DISQUALIFIED, Played};
use crate::tournament::standings::{Row, Standings};

/// More games than this have no links of their own: a browser should open the page on a telephone.
const MOST_LINKS: usize = 20_000;
/// More bots than this have no crosstable.
const MOST_CROSSED: usize = 64;

/// What a page is made from.
pub struct Event<'a> {
    /// What the games add up to.
    pub standings: &'a Standings,
    /// The finished games in the order of their numbers.
    pub games: &'a [Played],
    /// What else is to be said of it at the top: a name and a value each.
    pub facts: &'a [(String, String)],
    /// The faults of which more is known than the journal says, in the order of the games.
    pub faults: &'a [ShownFault],
    /// The path of a game's log from the place of the page.
    pub log: &'a dyn Fn(u64) -> String,
}

/// The page of an event.
pub fn event(event: &Event) -> String {
    let standings = event.standings;
    let title = if standings.name.is_empty() { standings.game.as_str() } else { standings.name.as_str() };
    let mut html = Html::default();
    html.raw("<header>\n").element("h1", title).raw("\n");
    head(event, &mut html);
    html.raw("</header>\n<main>\n");
    ranking(standings, &mut html);
    ratings(standings, &mut html);
    if standings.bots.len() <= MOST_CROSSED {
        crosstable(standings, &mut html);
    }
    pairs(standings, &mut html);
    html.raw("<h2>From each seat</h2>\n");
    table::table(&mut html, "From each seat", &sections::by_seat(standings));
    seats(standings, &mut html);
    lengths_and_times(event, &mut html);
    faults(event, &mut html);
    games(event, &mut html);
    html.raw("</main>\n");
    document(&format!("{title} – arbitro"), &html)
}

fn head(event: &Event, html: &mut Html) {
    for (place, line) in sections::event(event.standings).iter().enumerate() {
        html.element(if place == 0 { "p" } else { "p class=\"quiet\"" }, line).raw("\n");
    }
    for (name, value) in event.facts {
        html.raw("<p class=\"quiet\">").text(name).raw(": ").text(value).raw("</p>\n");
    }
}

/// Who stands where, what the numbers mean, and what came of two alone.
fn ranking(standings: &Standings, html: &mut Html) {
    html.raw("<h2>Standings</h2>\n");
    table::table(html, "Standings", &sections::ranking(standings));
    for note in sections::notes(standings) {
        html.element("p class=\"quiet\"", note).raw("\n");
    }
    let Some(two) = block::two(standings) else { return };
    html.raw("<h2>Head to head</h2>\n<p class=\"quiet\">Results of ").name(standings.name_of(two[0])).raw(" against ");
    html.name(standings.name_of(two[1])).raw(".</p>\n").element("pre", block::lines(standings, two)).raw("\n");
}

fn ratings(standings: &Standings, html: &mut Html) {
    let rated = standings.ratings.by_strength.to_vec();
    let values = |entrant: &Entrant| {
        let elo = standings.ratings.elo[entrant.index()].expect("who is in order is rated");
        let error = elo.error.unwrap_or(0.0);
        (elo.value - error, elo.value, elo.value + error)
    };
    if rated.is_empty() {
        return;
    }
    html.raw("<h2>Ratings</h2>\n<p class=\"quiet\">Elo, with 95 % intervals.</p>\n");
    let scale = Scale::of(rated.iter().flat_map(|entrant| {
        let (low, value, high) = values(entrant);
        [low, value, high]
    }));
    html.raw("<div class=\"plot\">\n");
    for entrant in &rated {
        let (low, value, high) = values(entrant);
        html.raw("<span class=\"label\">").name(standings.name_of(*entrant)).raw("</span>");
        let words = format!("{}: {}", standings.name_of(*entrant), elo(standings, *entrant));
        scale.interval(html, low, value, high, &words);
        let above = standings.ratings.elo[entrant.index()].and_then(|elo| elo.above_next);
        let above = above.map(|_| format!("; stronger than the next: {}", text::percent(above, 1))).unwrap_or_default();
        html.element("span class=\"value\"", elo(standings, *entrant) + &above).raw("\n");
    }
    scale.axis(html);
    html.raw("</div>\n");
}

fn crosstable(standings: &Standings, html: &mut Html) {
    html.raw(
        "<h2>Who met whom</h2>\n<p class=\"quiet\">Points of the row against the column, and the games of both.</p>\n",
    );
    table::table(html, "Who met whom", &sections::crosstable(standings));
}

fn pairs(standings: &Standings, html: &mut Html) {
    let Some(pairs) = sections::pairs(standings) else { return };
    html.raw(
        "<h2>Pairs</h2>\n<p class=\"quiet\">Two games with the same luck from both seats, against all others.</p>\n",
    );
    table::table(html, "Pairs", &pairs);
}

fn seats(standings: &Standings, html: &mut Html) {
    if standings.games.decided == standings.games.forfeited {
        return;
    }
    html.raw("<h2>What a seat is worth</h2>\n<p class=\"quiet\">The share of the points that its bots won, with 95 % intervals.</p>\n<div class=\"plot\">\n");
    let all = standings.by_seat.iter().flat_map(|seat| seat.interval.map_or([0.0, 1.0], |(low, high)| [low, high]));
    let scale = Scale::of(all.map(|share| share * 100.0));
    for (seat, share) in standings.by_seat.seats() {
        let (Some(value), Some((low, high))) = (share.share, share.interval) else { continue };
        let [low, value, high] = [low, value, high].map(|share| share * 100.0);
        html.element("span class=\"label\"", format!("seat {seat}"));
        let words = format!("{value:.1} % ({low:.1} to {high:.1})");
        scale.interval(html, low, value, high, &format!("seat {seat}: {words}"));
        let elo = sections::seat_elo(share).map(|elo| format!(", {elo}")).unwrap_or_default();
        html.element("span class=\"value\"", words + &elo.replace('-', "−")).raw("\n");
    }
    scale.axis(html);
    html.raw("</div>\n");
}

fn lengths_and_times(event: &Event, html: &mut Html) {
    let played = event.games.iter().filter(|game| !game.is_forfeited());
    let lengths = Bins::of(played.map(|game| game.plies));
    let Some(lengths) = lengths else { return };
    html.raw("<div class=\"two\">\n<section><h2>How long games are</h2>\n");
    lengths.bars(html, "plies");
    html.raw("</section>\n<section><h2>Time used</h2>\n<p class=\"quiet\">Seconds a game, on average; what was measured here.</p>\n<div class=\"plot\">\n");
    let mean = |row: &Row| row.time.total_us / row.time.games.max(1);
    let in_seconds = |row: &Row| mean(row) as f64 / 1e6;
    let scale = Scale::of([0.0].into_iter().chain(event.standings.rows.iter().map(in_seconds)));
    for row in &event.standings.rows {
        let name = event.standings.name_of(row.entrant);
        html.raw("<span class=\"label\">").name(name).raw("</span>");
        let [mean, most, all] = [mean(row), row.time.most_us, row.time.total_us].map(time);
        let words = format!("{mean} on average, {most} at most, {all} in all");
        scale.bar(html, in_seconds(row), &format!("{name}: {words}"));
        html.element("span class=\"value\"", words).raw("\n");
    }
    scale.axis(html);
    html.raw("</div></section>\n</div>\n");
}

fn games(event: &Event, html: &mut Html) {
    html.raw("<h2>Games</h2>\n");
    if event.games.len() > MOST_LINKS {
        let first = event.games.iter().find(|game| !game.is_forfeited()).map(|game| (event.log)(game.game));
        let first = first.map(|log| format!("; the log of the first is {log}")).unwrap_or_default();
        html.element("p", format!("{} games are too many to list here{first}.", event.games.len()));
        return;
    }
    let standings = event.standings;
    let mut meetings: BTreeMap<Vec<Entrant>, Vec<&Played>> = BTreeMap::new();
    for game in event.games {
        let mut players: Vec<Entrant> = game.seats.iter().copied().collect();
        players.sort();
        meetings.entry(players).or_default().push(game);
    }
    for (players, games) in meetings {
        html.raw("<details><summary>");
        for (place, player) in players.iter().enumerate() {
            html.raw(if place > 0 { " – " } else { "" }).name(standings.name_of(*player));
        }
        html.text(format!(": {} games", games.len())).raw("</summary>\n<ul class=\"games\">\n");
        for game in games {
            html.raw("<li>");
            if game.is_forfeited() {
                forfeited(game, standings, html);
            } else {
                let number = format!("game {}", game.game);
                html.link(&(event.log)(game.game), number).text(format!(" {}", outcome(game)));
            }
            html.raw("</li>\n");
        }
        html.raw("</ul></details>\n");
    }
}

/// A game that has no log.
fn forfeited(game: &Played, standings: &Standings, html: &mut Html) {
    html.text(format!("game {} not played: ", game.game));
    let out: Vec<Seat> =
        game.faults.iter().filter(|fault| fault.kind == DISQUALIFIED).map(|fault| fault.seat).collect();
    for (place, seat) in out.iter().enumerate() {
        html.raw(if place > 0 { " and " } else { "" }).name(standings.name_of(game.seats[*seat]));
    }
    html.raw(if out.len() > 1 { " are disqualified" } else { " is disqualified" });
}

/// Who won, in a few letters: the ranks of the seats, or why there are none.
fn outcome(game: &Played) -> String {
    match &game.ranks {
        Some(ranks) => {
            let first = |seat: &Seat| ranks[*seat] == 1;
            let won: Vec<String> = Seat::first(ranks.len()).filter(first).map(|seat| seat.to_string()).collect();
            match won.as_slice() {
                [seat] => format!("won by seat {seat}"),
                all if all.len() == ranks.len() => "drawn".to_owned(),
                some => format!("shared by seats {}", some.join(", ")),
            }
        }
        None => game.reason.as_str().replace('_', " "),
    }
}

fn elo(standings: &Standings, entrant: Entrant) -> String {
    match standings.ratings.elo[entrant.index()] {
        None => text::UNKNOWN.to_owned(),
        Some(elo) => {
            let error = elo.error.map(|error| format!(" ± {}", text::decimals(Some(error), 0))).unwrap_or_default();
            (text::signed(Some(elo.value), 0) + &error).replace('-', "−")
        }
    }
}

/// A time in microseconds, in a unit that fits it.
fn time(us: u64) -> String {
    match us {
        ..1000 => format!("{us} µs"),
        1000..1_000_000 => format!("{:.1} ms", us as f64 / 1e3),
        _ => format!("{:.1} s", us as f64 / 1e6),
    }
}
