//! The teller: takes what workers hand in, counts it, and tells of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::PathBuf;
use std::sync::RwLockReadGuard;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::order::Order;
use super::schedule::pairing;
use super::worker::{Done, Message, Shared, remove_logs};
use super::{AHEAD, Director, Ending, Failed, GROUP, GROUP_AGE, MOST_UNRESOLVED, Progress, Summary};
use crate::record::outcome::GameResult;
use crate::seat::BySeat;
use crate::tournament::Entrant;
use crate::tournament::folder;
use crate::tournament::journal::{Journal, Storage};
use crate::tournament::ledger::Ledger;
use crate::tournament::pairing::RoundPlayed;
use crate::tournament::plan::Plan;
use crate::tournament::played::Played;

/// Counts the games of a tournament, on one thread.
pub struct Teller<'a, S> {
    shared: Shared<'a>,
    ledger: Ledger,
    journal: Journal<S>,
    director: &'a mut dyn Director,
    tell: &'a mut dyn FnMut(Progress),
    began: Instant,
    /// Sets in the order of the plan, where they count in that order.
    order: Option<Order<Option<Vec<Done>>>>,
    /// How many sets workers still have to hand in.
    outstanding: usize,
    group: Group,
    /// Folders of logs whose own names are known to be on the disk.
    known: BTreeSet<PathBuf>,
    rounds: Vec<RoundPlayed>,
    rounds_over: usize,
    /// How many games of a pairing in a row stayed void.
    streaks: BTreeMap<Vec<Entrant>, u32>,
    halted: BTreeSet<Vec<Entrant>>,
    out: BTreeSet<Entrant>,
    played: u64,
    is_enough: bool,
    /// Whether nothing is left to hand out.
    is_complete: bool,
    failed: Option<Failed>,
}

/// Games that are over and not on the disk yet.
#[derive(Default)]
struct Group {
    games: Vec<Played>,
    logs: Vec<(PathBuf, Option<File>)>,
    since: Option<Instant>,
}

impl Group {
    /// How long it may still wait for more.
    fn patience(&self) -> Option<Duration> {
        self.since.map(|since| GROUP_AGE.saturating_sub(since.elapsed()))
    }

    fn is_due(&self) -> bool {
        self.games.len() >= GROUP || self.patience().is_some_and(|patience| patience.is_zero())
    }
}

impl<'a, S: Storage> Teller<'a, S> {
    /// Goes on from what was played.
    pub fn new(
        shared: &Shared<'a>,
        ledger: Ledger,
        journal: Journal<S>,
        director: &'a mut dyn Director,
        tell: &'a mut dyn FnMut(Progress),
    ) -> Teller<'a, S> {
        let in_order = director.may_end_early() || shared.plan().header().disqualify_after > 0;
        Teller {
            shared: *shared,
            ledger,
            journal,
            director,
            tell,
            began: Instant::now(),
            order: in_order.then(Order::new),
            outstanding: 0,
            group: Group::default(),
            known: BTreeSet::new(),
            rounds: Vec::new(),
            rounds_over: 0,
            streaks: BTreeMap::new(),
            halted: BTreeSet::new(),
            out: BTreeSet::new(),
            played: 0,
            is_enough: false,
            is_complete: false,
            failed: None,
        }
    }

    fn plan(&self) -> RwLockReadGuard<'a, Plan> {
        self.shared.plan()
    }

    /// Hands out all that is left of what is planned so far, unless enough is known already.
    pub fn begin(&mut self, at_once: usize) {
        let (rounds, planned, counted) = (self.plan().rounds().len(), self.plan().games(), self.counted());
        (self.tell)(Progress::Begun { rounds, planned, counted, at_once });
        let field = self.plan().header().bots.len();
        Entrant::field(field).for_each(|bot| self.judge(bot));
        self.is_enough = self.director.is_enough();
        self.see_rounds();
        if !self.is_enough {
            self.hand_out(0);
        }
        self.proceed();
    }

    /// Takes in what workers say until all of them are done.
    pub fn listen(&mut self, from: &Receiver<Message>, mut workers: usize) {
        while workers > 0 {
            let message = match self.group.patience() {
                Some(patience) => from.recv_timeout(patience),
                None => from.recv().map_err(RecvTimeoutError::from),
            };
            match message {
                Ok(Message::Ended) => workers -= 1,
                Ok(message) => self.take(message),
                Err(RecvTimeoutError::Timeout) => self.commit(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if self.group.is_due() {
                self.commit();
            }
            self.proceed();
        }
        self.commit();
        self.discard();
    }

    /// How it ended.
    pub fn end(self) -> Result<Summary, Failed> {
        if let Some(failed) = self.failed {
            return Err(failed);
        }
        let ending = match (self.is_enough, self.is_complete) {
            (true, _) => Ending::Enough,
            (false, false) => Ending::Interrupted,
            (false, true) if self.counted() < self.plan().games() => Ending::Incomplete,
            (false, true) => Ending::Complete,
        };
        let summary = Summary {
            ending,
            planned: self.plan().games(),
            counted: self.counted(),
            played: self.played,
            unresolved: self.ledger.unresolved(),
            panics: self.ledger.panics(),
            disqualified: self.out.iter().copied().collect(),
            halted: self.halted.iter().cloned().collect(),
            took: self.began.elapsed(),
        };
        (self.tell)(Progress::Ended(&summary));
        Ok(summary)
    }

    fn counted(&self) -> u64 {
        self.ledger.sets() as u64 * self.plan().games_each() as u64
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Started { worker, game } => (self.tell)(Progress::Started { game: &game, worker }),
            Message::Void { game, reason, log } => (self.tell)(Progress::Void { game: &game, reason, log: &log }),
            Message::Stopping => (self.tell)(Progress::Stopping),
            Message::Failed(error) => self.fail(error.into()),
            Message::Left { set } => self.arrived(set, None),
            Message::Played { set, games } => {
                for Done { played, faults, log, clean, .. } in &games {
                    (self.tell)(Progress::Finished { game: played, faults, log, clean: *clean });
                }
                self.arrived(set, Some(games));
            }
            Message::Ended => unreachable!("whoever listens counts those"),
        }
    }

    // What counts, and in which order.

    /// A set is over, or will not be played.
    fn arrived(&mut self, set: usize, games: Option<Vec<Done>>) {
        self.outstanding -= 1;
        if self.is_enough || self.failed.is_some() {
            return self.drop_games(games);
        }
        let Some(order) = &mut self.order else {
            return games.into_iter().for_each(|games| self.count(set, games));
        };
        let mut games = games;
        if order.first_due() != Some(set)
            && let Err(error) = games.iter_mut().flatten().try_for_each(Done::settle)
        {
            return self.fail(error);
        }
        order.put(set, games);
        while let Some((set, games)) = self.order.as_mut().and_then(Order::next) {
            self.in_order(set, games);
            if self.is_enough {
                return;
            }
        }
        let until = self.order.as_ref().and_then(Order::first_due).unwrap_or(set) + self.ahead();
        self.shared.schedule.allow(until);
    }

    fn ahead(&self) -> usize {
        AHEAD * self.shared.means.places.0.len()
    }

    /// Takes in a set in its turn: it may be lost by who is out, or be the last.
    fn in_order(&mut self, set: usize, games: Option<Vec<Done>>) {
        let seats = self.plan().sets()[set].seats.clone();
        if seats.iter().any(|bot| self.out.contains(bot)) {
            self.drop_games(games);
            return self.forfeit(set);
        }
        let Some(games) = games else { return };
        self.count(set, games);
        seats.iter().for_each(|&bot| self.judge(bot));
        if self.director.is_enough() {
            self.is_enough = true;
            self.stop();
            (self.tell)(Progress::Enough);
        }
    }

    /// Disqualifies a bot that was at fault in too many games.
    fn judge(&mut self, bot: Entrant) {
        let most = self.plan().header().disqualify_after;
        if most > 0 && self.ledger.faulty_games(bot) >= most && self.out.insert(bot) {
            self.shared.schedule.put_out(bot);
            (self.tell)(Progress::Disqualified { bot });
        }
    }

    /// All games of a set are lost for those who are out.
    fn forfeit(&mut self, set: usize) {
        let plan = self.plan();
        let round = plan.sets()[set].round;
        let games: Vec<Played> =
            plan.games_of(set).map(|game| Played::forfeited(&game, round, |bot| self.out.contains(&bot))).collect();
        drop(plan);
        self.add(games, Vec::new());
    }

    fn count(&mut self, set: usize, games: Vec<Done>) {
        let mut logs = Vec::new();
        let games = games.into_iter().map(|done| {
            logs.push((done.log, done.file));
            done.played
        });
        let games: Vec<Played> = games.collect();
        self.watch_voids(set, &games);
        self.add(games, logs);
    }

    fn add(&mut self, games: Vec<Played>, logs: Vec<(PathBuf, Option<File>)>) {
        let plan = self.plan();
        self.ledger.add(&plan, &games).expect("workers play what is planned, once");
        drop(plan);
        self.director.see(&games);
        self.played += games.len() as u64;
        self.group.since.get_or_insert_with(Instant::now);
        self.group.games.extend(games);
        self.group.logs.extend(logs);
    }

    /// Halts a pairing of which too many games in a row stayed void.
    fn watch_voids(&mut self, set: usize, games: &[Played]) {
        let bots = self.plan().sets()[set].seats.clone();
        let key = pairing(&bots);
        for game in games {
            let streak = self.streaks.get(&key).copied().unwrap_or(0);
            match game.result == GameResult::Void {
                true => drop(self.streaks.insert(key.clone(), streak + 1)),
                false => drop(self.streaks.remove(&key)),
            }
            if streak + 1 >= MOST_UNRESOLVED && game.result == GameResult::Void {
                self.halt(&bots);
            }
        }
    }

    fn halt(&mut self, bots: &BySeat<Entrant>) {
        if self.halted.insert(pairing(bots)) {
            self.shared.schedule.halt(bots);
            (self.tell)(Progress::Halted { bots });
        }
    }

    /// Games that do not count after all.
    fn drop_games(&self, games: Option<Vec<Done>>) {
        remove_logs(self.shared.folder, games.into_iter().flatten().map(|done| done.played.game));
    }

    /// Gives up what is over before its turn, when its turn will not come.
    fn discard(&mut self) {
        let early: Vec<_> = self.order.iter_mut().flat_map(Order::give_up).collect();
        early.into_iter().for_each(|(_, games)| self.drop_games(games));
    }

    // What is on the disk.

    /// Puts the group on the disk: first the logs, then the lines by which they count.
    fn commit(&mut self) {
        let Group { games, logs, .. } = std::mem::take(&mut self.group);
        if games.is_empty() || self.failed.is_some() {
            return;
        }
        if let Err(failed) = self.sync(logs) {
            return self.fail(failed);
        }
        if let Err(error) = self.journal.commit(&games) {
            return self.fail(Failed::Io { path: self.shared.folder.journal(), error });
        }
        (self.tell)(Progress::Counted { games: &games });
        self.see_rounds();
    }

    fn sync(&mut self, logs: Vec<(PathBuf, Option<File>)>) -> Result<(), Failed> {
        let mut folders = BTreeSet::new();
        for (path, file) in logs {
            let synced = file.map_or(Ok(()), |file| file.sync_data());
            synced.map_err(|error| Failed::Io { path: path.clone(), error })?;
            folders.extend(path.parent().map(ToOwned::to_owned));
        }
        for path in folders {
            let failed = |error| Failed::Io { path: path.clone(), error };
            folder::sync(&path).map_err(failed)?;
            if !self.known.contains(&path) {
                path.parent().map_or(Ok(()), folder::sync).map_err(failed)?;
                self.known.insert(path);
            }
        }
        Ok(())
    }

    // What comes next.

    /// Hands out what is left from a round on.
    fn hand_out(&mut self, round: usize) {
        let plan = self.plan();
        let first = plan.rounds().get(round).map_or(plan.sets().len(), |round| round.sets_before);
        let left = (first..plan.sets().len()).filter(|&set| !self.ledger.is_done(set));
        let left: Vec<(usize, u32)> = left.map(|set| (set, plan.sets()[set].sitting)).collect();
        self.outstanding += left.len();
        let until = match &mut self.order {
            Some(order) => {
                order.expect(left.iter().map(|&(set, _)| set));
                order.first_due().unwrap_or(0) + self.ahead()
            }
            None => usize::MAX,
        };
        self.shared.schedule.allow(until);
        self.shared.schedule.add(left);
    }

    /// Goes on to further rounds, or to the end, when all that was handed out is over.
    fn proceed(&mut self) {
        if self.is_enough {
            return self.stop();
        }
        while self.outstanding == 0 && !self.is_complete && self.failed.is_none() && !self.shared.halt.is_turned() {
            self.commit();
            let rounds = self.plan().rounds().len();
            let follows = self.rounds_over == rounds && self.director.pairs_by_results() && self.failed.is_none();
            let round = follows.then(|| self.director.next_round(&self.rounds, &self.out)).flatten();
            let Some(round) = round else {
                self.is_complete = self.failed.is_none();
                return self.shared.schedule.close();
            };
            let results = self.ledger.results(&self.plan(), rounds);
            self.shared.change_plan(|plan| plan.extend([round], results));
            let plan = self.plan();
            if let Err(error) = self.shared.folder.write_plan(&plan, plan.parts() - 1) {
                return self.fail(error.into());
            }
            self.ledger.grow(&plan);
            (self.tell)(Progress::Paired { rounds: plan.rounds().len(), planned: plan.games() });
            drop(plan);
            self.see_rounds();
            self.hand_out(rounds);
        }
    }

    /// Sees which rounds are over.
    fn see_rounds(&mut self) {
        let plan = self.plan();
        while let Some(round) = plan.rounds().get(self.rounds_over).filter(|_| self.ledger.is_over(self.rounds_over)) {
            if self.director.pairs_by_results() {
                self.rounds.push(self.ledger.round_played(&plan, round));
            }
            self.rounds_over += 1;
            (self.tell)(Progress::RoundOver { round: self.rounds_over as u32 });
        }
    }

    /// Ends running games, and begins no other.
    fn stop(&self) {
        self.shared.schedule.close();
        self.shared.halt.turn();
    }

    /// Stops for an error of ours.
    fn fail(&mut self, error: Failed) {
        self.failed.get_or_insert(error);
        self.stop();
    }
}
