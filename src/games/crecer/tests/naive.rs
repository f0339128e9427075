//! A second program of the same rules, as plain as can be, and random games in which both must agree at every ply.

use std::collections::BTreeSet;

use super::*;
use crate::chance::Draws;
use crate::game::PASS;

/// By file and rank: the seat and the height of the stack.
type Board = [[Option<(usize, u8)>; 6]; 6];

/// The whole game: stacks, hands, and all positions since the start of the game.
struct Naive {
    options: Options,
    board: Board,
    hand: [u8; 2],
    mover: usize,
    passes: u32,
    plies: u32,
    positions: Vec<String>,
    end: Option<(Option<usize>, EndReason)>,
}

const FILES: &[u8; 6] = b"abcdef";

fn name(file: usize, rank: usize) -> String {
    format!("{}{}", FILES[file] as char, rank + 1)
}

fn place(name: &str) -> (usize, usize) {
    let bytes = name.as_bytes();
    (FILES.iter().position(|&file| file == bytes[0]).unwrap(), usize::from(bytes[1] - b'1'))
}

impl Naive {
    fn new(options: &Options) -> Naive {
        let board = [[Some((0, 1)), Some((0, 1)), None, None, Some((1, 1)), Some((1, 1))]; 6];
        Naive::at(options, board, [12, 12])
    }

    fn at(options: &Options, board: Board, hand: [u8; 2]) -> Naive {
        let mut naive = Naive {
            options: options.clone(),
            board,
            hand,
            mover: 0,
            passes: 0,
            plies: 0,
            positions: Vec::new(),
            end: None,
        };
        naive.positions.push(naive.position());
        naive
    }

    /// The moves, growths and attacks of the seat to move.
    fn actions(&self) -> BTreeSet<String> {
        let mut actions = BTreeSet::new();
        for (file, rank) in (0..6).flat_map(|file| (0..6).map(move |rank| (file, rank))) {
            let Some((seat, height)) = self.board[file][rank] else { continue };
            if seat != self.mover {
                continue;
            }
            let from = name(file, rank);
            if self.hand[seat] > 0 && height < self.options.max_height {
                actions.insert(format!("+{from}"));
            }
            for (to_file, to_rank) in (0..6).flat_map(|file| (0..6).map(move |rank| (file, rank))) {
                if file.abs_diff(to_file).max(rank.abs_diff(to_rank)) != 1 {
                    continue;
                }
                let to = name(to_file, to_rank);
                let back = if seat == 0 { to_rank < rank } else { to_rank > rank };
                match self.board[to_file][to_rank] {
                    None if self.options.backward || !back => actions.insert(format!("{from}-{to}")),
                    Some((other, theirs)) if other != seat => {
                        let fair = theirs == height
                            || theirs + 1 == height
                            || (theirs == height + 1 && self.options.attack_up);
                        fair && actions.insert(format!("{from}x{to}"))
                    }
                    _ => false,
                };
            }
        }
        actions
    }

    fn legal(&self) -> BTreeSet<String> {
        let actions = self.actions();
        if actions.is_empty() { BTreeSet::from(["pass".to_owned()]) } else { actions }
    }

    fn position(&self) -> String {
        let passes = if self.actions().is_empty() { self.passes } else { 0 };
        format!("{:?} {:?} {} {passes}", self.board, self.hand, self.mover)
    }

    fn play(&mut self, token: &str) {
        let mover = self.mover;
        self.mover = 1 - mover;
        self.plies += 1;
        self.passes = if token == "pass" { self.passes + 1 } else { 0 };
        let mut arrived = false;
        if let Some(at) = token.strip_prefix('+') {
            let (file, rank) = place(at);
            self.hand[mover] -= 1;
            self.board[file][rank] = self.board[file][rank].map(|(seat, height)| (seat, height + 1));
        } else if token != "pass" {
            let ((file, rank), (to_file, to_rank)) = (place(&token[..2]), place(&token[3..]));
            let own = self.board[file][rank].take().unwrap();
            match self.board[to_file][to_rank] {
                None => {
                    self.board[to_file][to_rank] = Some(own);
                    arrived = own.1 == 1 && to_rank == [5, 0][mover];
                }
                Some((_, theirs)) if theirs == own.1 => self.board[to_file][to_rank] = None,
                Some((_, theirs)) if theirs < own.1 => self.board[to_file][to_rank] = Some(own),
                Some(taller) => {
                    self.board[to_file][to_rank] = None;
                    self.board[file][rank] = Some(taller);
                }
            }
        }
        self.positions.push(self.position());
        self.end = self.judge(mover, arrived);
    }

    fn judge(&self, mover: usize, arrived: bool) -> Option<(Option<usize>, EndReason)> {
        if arrived {
            return Some((Some(mover), EndReason::Goal));
        }
        let singles = |seat| self.board.iter().flatten().any(|&stack| stack == Some((seat, 1)));
        let rival = 1 - mover;
        let mutual = match self.options.mutual {
            Mutual::Draw => None,
            Mutual::MoverWins => Some(mover),
            Mutual::MoverLoses => Some(rival),
        };
        let occurrences = self.positions.iter().filter(|&earlier| Some(earlier) == self.positions.last()).count();
        match (singles(mover), singles(rival)) {
            (false, false) => Some((mutual, EndReason::NoPieces)),
            (false, true) => Some((Some(rival), EndReason::NoPieces)),
            (true, false) => Some((Some(mover), EndReason::NoPieces)),
            _ if self.passes == 2 => Some((None, EndReason::Passes)),
            _ if self.options.repetition > 0 && occurrences as u32 >= self.options.repetition => {
                Some((None, EndReason::Repetition))
            }
            _ if self.plies == self.options.max_plies => Some((None, EndReason::MaxPlies)),
            _ => None,
        }
    }
}

fn random_options(draws: &mut Draws) -> Options {
    Options {
        max_height: draws.below(6) as u8 * 2 + 1 + draws.below(2) as u8,
        attack_up: draws.below(2) == 0,
        mutual: [Mutual::Draw, Mutual::MoverWins, Mutual::MoverLoses][draws.below(3) as usize],
        backward: draws.below(2) == 0,
        max_plies: 1 + draws.below(400),
        repetition: [0, 2, 3, 4][draws.below(4) as usize],
    }
}

/// Random games do not come to fights of tall stacks nor back to earlier positions often enough, so a game prefers the
/// kind of move that its taste is for.
fn choose(legal: &[String], taste: u32, last: Option<&str>, draws: &mut Draws) -> String {
    let undone = last.map(|last| format!("{}-{}", &last[last.len() - 2..], &last[..last.len().min(2)]));
    let wanted = |token: &&String| match taste {
        0 => true,
        1 => token.starts_with('+'),
        2 => token.contains('x'),
        3 => undone.as_deref() == Some(token),
        _ => !token.contains('x') && !token.starts_with('+'),
    };
    let liked: Vec<_> = legal.iter().filter(wanted).collect();
    let eager = draws.below(4) > 0 && !liked.is_empty();
    let pool = if eager { liked } else { legal.iter().collect() };
    pool[draws.below(pool.len() as u32) as usize].clone()
}

fn agree(naive: &Naive, game: &Crecer) {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let ending = game.ending().map(|end| (end.winner.map(Seat::index), end.reason));
    assert_eq!(ending, naive.end);
    if ending.is_some() {
        assert_eq!((moves.len(), game.count_legal()), (0, 0));
        return;
    }
    let listed: BTreeSet<String> = moves.iter().map(|mv| mv.token().to_string()).collect();
    assert_eq!(listed, naive.legal());
    assert_eq!((moves.len(), game.count_legal()), (listed.len(), listed.len() as u64));
    let state = serde_json::to_value(game.view()).unwrap();
    for (file, rank) in (0..6).flat_map(|file| (0..6).map(move |rank| (file, rank))) {
        for seat in 0..2 {
            let height = naive.board[file][rank].filter(|&(owner, _)| owner == seat).map(|(_, height)| height);
            assert_eq!(state["stacks"][seat].get(name(file, rank)), height.map(serde_json::Value::from).as_ref());
        }
    }
    assert_eq!(state["hand"], serde_json::json!(naive.hand));
    assert_eq!(state["turn"], naive.mover);
    let read: View = serde_json::from_value(state).unwrap();
    assert_eq!(read.core(game.core().rules()), Some(*game.core()));
}

/// A position in which seat 0 has a single piece shut in behind tall stacks and little else, so that it often passes:
/// random games get to none.
fn shut_in(options: &Options, draws: &mut Draws) -> (Naive, Crecer) {
    let mut board: Board = Default::default();
    let mut core = Core::bare(options.rules().unwrap(), [0, draws.below(2) as u8], SEAT_0);
    let mut put = |seat: Seat, square: Square, height: u8| {
        if board[square.file()][square.rank()].is_none() {
            let height = height.min(options.max_height);
            board[square.file()][square.rank()] = Some((seat.index(), height));
            core.put(seat, square, height);
        }
    };
    let file = draws.below(6) as usize;
    let mut anywhere = || Square::new(draws.below(6) as usize, 1 + draws.below(4) as usize);
    let corner = square("f1");
    put(SEAT_1, Square::new(file, 3), 1);
    put(SEAT_0, corner, 1);
    corner.neighbours().into_iter().for_each(|square| put(SEAT_1, square, 4));
    put(SEAT_1, anywhere(), 2);
    put(SEAT_0, anywhere(), 3);
    let hand = [0, core.hand(SEAT_1)];
    (Naive::at(options, board, hand), game_at(core, options.max_plies, options.repetition))
}

/// Plays random games; the reasons for which they ended, and the number of passes in them.
fn play_together(games: u32, draws: &mut Draws) -> (BTreeSet<String>, usize) {
    let mut reasons = BTreeSet::new();
    let mut passes = 0;
    for _ in 0..games {
        let options = random_options(draws);
        let taste = draws.below(5);
        let (mut naive, mut game) = if draws.below(3) > 0 {
            (Naive::new(&options), Crecer::new(&options, 2).unwrap())
        } else {
            shut_in(&options, draws)
        };
        let mut tokens: Vec<String> = Vec::new();
        agree(&naive, &game);
        while naive.end.is_none() {
            let legal: Vec<_> = naive.legal().into_iter().collect();
            let last = tokens.len().checked_sub(2).map(|index| tokens[index].as_str());
            let token = choose(&legal, taste, last, draws);
            naive.play(&token);
            game.apply(Step::Move(token.parse().unwrap()));
            tokens.push(token);
            agree(&naive, &game);
        }
        passes += tokens.iter().filter(|&token| token == PASS).count();
        reasons.insert(format!("{:?}", naive.end.unwrap().1));
    }
    (reasons, passes)
}

#[test]
fn both_programs_agree_at_every_ply() {
    let mut draws = Streams::new(Hex32([1; 32])).of(Purpose::Opening).clone();
    let (reasons, _) = play_together(60, &mut draws);
    assert_eq!(reasons.into_iter().collect::<Vec<_>>(), ["Goal", "MaxPlies", "NoPieces", "Repetition"]);
}

#[test]
#[ignore = "deep: run with --release --ignored"]
fn deep_both_programs_agree_at_every_ply() {
    let mut draws = Streams::new(Hex32([2; 32])).of(Purpose::Opening).clone();
    let (_, passes) = play_together(4_000, &mut draws);
    assert!(passes > 100, "{passes}");
}
