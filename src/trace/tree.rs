//! The branches of a generation: what was drawn, and what the user took in its place.

use super::{Draw, Edit, PassId, Piece, StepRecord, StopReason, Trace};
use std::sync::Arc;

/// Names a branch; never used twice in one generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BranchId(pub u32);

/// One way that the text went, from its first token on. Branches share the records of the steps that they share.
#[derive(Clone, Debug)]
pub struct Branch {
    /// Its name among its like.
    pub id: BranchId,
    /// What the user calls it.
    pub name: String,
    /// The branch that it parts from; `None` for the first.
    pub parent: Option<BranchId>,
    /// The first step that is its own: the one whose token the user took.
    pub parts_at: usize,
    /// All its steps, those before it parts among them.
    pub trace: Trace,
    /// What is changed on the way through the model in the steps that it goes on with.
    pub edits: Arc<[Edit]>,
    /// Why it ended, if it did.
    pub ended: Option<StopReason>,
    /// Whether the user stopped it before its end.
    pub stopped: bool,
}

impl Branch {
    /// Whether the model was changed for some of its steps, or will be for the next.
    pub fn is_changed(&self) -> bool {
        !self.edits.is_empty() || self.trace.steps().iter().any(|step| !step.edits.is_empty())
    }

    /// Its name among others, marked where the model was changed.
    pub fn label(&self) -> String {
        if self.is_changed() { format!("◆ {}", self.name) } else { self.name.clone() }
    }
}

/// All branches, the first one first and every other somewhere behind its parent.
#[derive(Clone, Debug)]
pub struct Tree {
    branches: Vec<Arc<Branch>>,
    current: BranchId,
    last_id: u32,
    /// Another number after every change of a branch; showing another one is none.
    revision: u64,
}

impl Tree {
    /// One branch without a step.
    pub fn new(prompt: Arc<[Piece]>) -> Self {
        let id = BranchId(1);
        let first = Branch {
            id,
            name: "Branch 1".to_owned(),
            parent: None,
            parts_at: 0,
            trace: Trace::new(prompt),
            edits: [].into(),
            ended: None,
            stopped: false,
        };
        Self { branches: vec![Arc::new(first)], current: id, last_id: 1, revision: 0 }
    }

    /// A tree of branches that were kept, each behind its parent; `current` if it is among them, else the first.
    ///
    /// `None` where there is no branch.
    pub fn from_branches(branches: Vec<Branch>, current: BranchId) -> Option<Self> {
        let first = branches.first()?.id;
        let current = if branches.iter().any(|branch| branch.id == current) { current } else { first };
        let last_id = branches.iter().map(|branch| branch.id.0).max()?;
        Some(Self { branches: branches.into_iter().map(Arc::new).collect(), current, last_id, revision: 0 })
    }

    pub fn branches(&self) -> &[Arc<Branch>] {
        &self.branches
    }

    /// Another number after every change of a branch; showing another one is none.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether no branch has a step.
    pub fn is_empty(&self) -> bool {
        self.branches.iter().all(|branch| branch.trace.steps().is_empty())
    }

    /// The largest name of a forward pass.
    pub fn last_pass(&self) -> Option<PassId> {
        let passes = |branch: &Arc<Branch>| (0..branch.trace.steps().len()).filter_map(|i| branch.trace.pass(i)).max();
        self.branches.iter().filter_map(passes).max()
    }

    /// The branch that is shown.
    pub fn current(&self) -> &Branch {
        self.get(self.current).unwrap_or(&self.branches[0])
    }

    /// The branch that is shown, to be changed.
    pub fn current_mut(&mut self) -> &mut Branch {
        let idx = self.place(self.current).unwrap_or(0);
        self.revision += 1;
        Arc::make_mut(&mut self.branches[idx])
    }

    /// A branch by its id.
    pub fn get(&self, id: BranchId) -> Option<&Branch> {
        self.branches.iter().find(|branch| branch.id == id).map(|branch| &**branch)
    }

    /// A branch by its id, to be changed.
    pub fn get_mut(&mut self, id: BranchId) -> Option<&mut Branch> {
        self.revision += 1;
        self.branches.iter_mut().find(|branch| branch.id == id).map(Arc::make_mut)
    }

    /// The branches in the order of the picture: each followed by those that part from it, the latest parting first,
    /// so that no line to a child crosses another.
    pub fn in_order(&self) -> Vec<&Branch> {
        let mut order = Vec::with_capacity(self.branches.len());
        let mut open = vec![&*self.branches[0]];
        while let Some(branch) = open.pop() {
            order.push(branch);
            let mut children: Vec<_> =
                self.branches.iter().map(|child| &**child).filter(|child| child.parent == Some(branch.id)).collect();
            children.sort_by_key(|child| child.parts_at);
            open.extend(children);
        }
        order
    }

    /// Shows another branch; an unknown one changes nothing.
    pub fn switch(&mut self, id: BranchId) {
        if self.place(id).is_some() {
            self.current = id;
        }
    }

    /// Lets the shown branch part at a step: `step` is the record of that step with the token that the user takes.
    ///
    /// Where a branch takes that token there already, that one is shown. Returns whether there is a new branch.
    pub fn take(&mut self, step: Arc<StepRecord>, ended: Option<StopReason>) -> bool {
        let (index, chosen, edits) = (step.index, step.sampling.chosen_id(), Arc::clone(&step.edits));
        let takes = |step: &StepRecord| step.sampling.chosen_id() == chosen && step.edits == edits;
        if let Some(id) =
            self.branch_where(index, |branch| branch.trace.steps().get(index).is_some_and(|step| takes(step)))
        {
            self.current = id;
            return false;
        }
        self.add(index, self.current().trace.with_other(step), edits, ended);
        true
    }

    /// Lets the shown branch part before the step at `index`, of which it has all before, to go on under other changes of
    /// the model.
    ///
    /// Where a branch does that already, that one is shown. Returns whether there is a new branch.
    pub fn change(&mut self, index: usize, edits: Arc<[Edit]>) -> bool {
        let goes_on = |branch: &Branch| match branch.trace.steps().get(index) {
            Some(step) => step.edits == edits && step.sampling.draw != Draw::Forced,
            None => branch.edits == edits && branch.trace.steps().len() == index,
        };
        if let Some(id) = self.branch_where(index, goes_on) {
            self.current = id;
            return false;
        }
        let Some(trace) = self.current().trace.up_to(index) else { return false };
        self.add(index, trace, edits, None);
        true
    }

    /// Adds a branch that parts from the shown one, and shows it.
    fn add(&mut self, parts_at: usize, trace: Trace, edits: Arc<[Edit]>, ended: Option<StopReason>) {
        self.revision += 1;
        self.last_id += 1;
        let id = BranchId(self.last_id);
        let parent = Some(self.owner_of(self.current(), parts_at));
        let name = format!("Branch {}", self.last_id);
        self.branches.push(Arc::new(Branch { id, name, parent, parts_at, trace, edits, ended, stopped: false }));
        self.current = id;
    }

    /// Gives a branch another name; returns whether it has one.
    pub fn rename(&mut self, id: BranchId, name: &str) -> bool {
        let name = name.trim();
        let is_new = self.get(id).is_some_and(|branch| !name.is_empty() && branch.name != name);
        if let Some(branch) = is_new.then(|| self.get_mut(id)).flatten() {
            name.clone_into(&mut branch.name);
        }
        is_new
    }

    /// Removes a branch and all that part from it; the first branch stays. Returns whether any was removed.
    pub fn delete(&mut self, id: BranchId) -> bool {
        if id == self.branches[0].id || self.place(id).is_none() {
            return false;
        }
        self.revision += 1;
        let parent = self.get(id).and_then(|branch| branch.parent);
        let mut gone = vec![id];
        // A branch stands behind its parent, so one pass finds them all.
        for branch in &self.branches {
            if branch.parent.is_some_and(|parent| gone.contains(&parent)) {
                gone.push(branch.id);
            }
        }
        self.branches.retain(|branch| !gone.contains(&branch.id));
        if gone.contains(&self.current) {
            self.current = parent.unwrap_or(self.branches[0].id);
        }
        true
    }

    /// Goes back to an earlier moment of this tree, and returns the one before.
    ///
    /// No step is lost: a branch that was there then keeps all that it has made meanwhile.
    pub fn go_to(&mut self, moment: Self) -> Self {
        let branches = moment.branches.into_iter().map(|mut then| {
            if let Some(now) = self.get(then.id).filter(|now| now.trace.steps().len() > then.trace.steps().len()) {
                then = Arc::new(Branch { name: then.name.clone(), ..now.clone() });
            }
            then
        });
        // A name is never given twice, not even to another future.
        let last_id = self.last_id.max(moment.last_id);
        let revision = self.revision + 1;
        let then = Self { branches: branches.collect(), current: moment.current, last_id, revision };
        std::mem::replace(self, then)
    }

    fn place(&self, id: BranchId) -> Option<usize> {
        self.branches.iter().position(|branch| branch.id == id)
    }

    /// The branch with the same steps as the shown one before `index`, of which this holds.
    fn branch_where(&self, index: usize, holds: impl Fn(&Branch) -> bool) -> Option<BranchId> {
        let before = &self.current().trace.steps()[..index];
        let is_it = |branch: &&Arc<Branch>| {
            holds(branch) && branch.trace.steps().iter().zip(before).all(|(a, b)| Arc::ptr_eq(a, b))
        };
        self.branches.iter().find(is_it).map(|branch| branch.id)
    }

    /// Which of a branch and those that it parts from the step at `index` belongs to.
    fn owner_of(&self, branch: &Branch, index: usize) -> BranchId {
        let mut owner = branch;
        while owner.parts_at > index
            && let Some(parent) = owner.parent.and_then(|parent| self.get(parent))
        {
            owner = parent;
        }
        // What takes another token where its owner parted stands beside it.
        match owner.parent {
            Some(parent) if owner.parts_at == index => parent,
            _ => owner.id,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::{Chain, Detail, StepContext};
    use crate::trace::{ForwardRecord, KvRecord, Outcome, Phase};

    fn step(index: usize, chosen: f64) -> Arc<StepRecord> {
        let context = StepContext { history: &[], n_prompt: 0, coin: chosen, xtc_coin: 0.0, mu: None, masks: None };
        let sampling = Chain::default().run(&[0.0; 10], &context, Detail::All).unwrap();
        let forward = ForwardRecord {
            phase: Phase::Decode,
            input: vec![0],
            positions: index..index + 1,
            embed_secs: 0.0,
            layer_secs: Vec::new(),
            head_secs: 0.0,
            total_secs: 0.0,
        };
        let kv =
            KvRecord { positions_before: 0, positions_after: 0, prompt_positions: 0, forgotten: 0, layers: Vec::new() };
        Arc::new(StepRecord {
            index,
            edits: [].into(),
            forward,
            prompt: [].into(),
            kv,
            sampling,
            sample_secs: 0.0,
            outcome: Outcome::Continue,
        })
    }

    /// Adds a step whose token is `chosen` to the shown branch.
    fn make(tree: &mut Tree, chosen: u32) {
        let branch = tree.current_mut();
        let index = branch.trace.steps().len();
        branch.trace.push(step(index, f64::from(chosen) / 10.0 + 0.05), PassId(index as u64));
    }

    fn take(tree: &mut Tree, index: usize, chosen: u32) -> BranchId {
        tree.take(step(index, f64::from(chosen) / 10.0 + 0.05), None);
        tree.current().id
    }

    fn tokens(branch: &Branch) -> Vec<u32> {
        branch.trace.steps().iter().map(|step| step.sampling.chosen_id()).collect()
    }

    fn grown(tokens: &[u32]) -> Tree {
        let mut tree = Tree::new([].into());
        for token in tokens {
            make(&mut tree, *token);
        }
        tree
    }

    #[test]
    fn a_branch_shares_what_lies_before_it() {
        let mut tree = grown(&[1, 2, 3, 4]);
        let first = tree.current().id;
        let second = take(&mut tree, 2, 9);
        make(&mut tree, 5);
        assert_eq!(tokens(tree.current()), [1, 2, 9, 5]);
        assert_eq!(tokens(tree.get(first).unwrap()), [1, 2, 3, 4], "earlier text stays");
        let shared =
            |idx: usize| Arc::ptr_eq(&tree.get(first).unwrap().trace.steps()[idx], &tree.current().trace.steps()[idx]);
        assert!(shared(0) && shared(1) && !shared(2));
        assert_eq!((tree.current().parent, tree.current().parts_at), (Some(first), 2));
        // The joint probability is that of its own tokens: each has a tenth.
        assert!((tree.current().trace.log_prob() - 4.0 * 0.1f64.ln()).abs() < 1e-9);
        assert_eq!(second, tree.current().id);
    }

    #[test]
    fn the_same_token_at_the_same_place_is_the_same_branch() {
        let mut tree = grown(&[1, 2, 3]);
        let first = tree.current().id;
        let second = take(&mut tree, 1, 7);
        tree.switch(first);
        assert_eq!(take(&mut tree, 1, 7), second);
        assert_eq!(take(&mut tree, 1, 2), first, "back to what was drawn");
        assert_eq!(tree.branches().len(), 2);
    }

    #[test]
    fn a_changed_branch_is_never_the_models_own() {
        let edits: Arc<[Edit]> = [Edit {
            part: crate::trace::Part::Embed,
            positions: crate::trace::Positions::All,
            change: crate::trace::Change::Scale(0.0),
        }]
        .into();
        let mut tree = grown(&[1, 2, 3]);
        let first = tree.current().id;
        assert!(!tree.change(1, [].into()) && tree.current().id == first, "it goes on so already");
        assert!(tree.change(1, Arc::clone(&edits)));
        let second = tree.current().id;
        assert_eq!((tokens(tree.current()), tree.current().parent), (vec![1], Some(first)));
        assert!(tree.current().is_changed() && tree.current().label().starts_with('◆'));
        tree.switch(first);
        assert!(!tree.change(1, Arc::clone(&edits)) && tree.current().id == second, "before its first step too");
        let changed = StepRecord { edits: Arc::clone(&edits), ..(*step(1, 0.25)).clone() };
        tree.current_mut().trace.push(changed.clone().into(), PassId(9));
        assert_eq!(tokens(tree.current()), tokens(tree.get(first).unwrap())[..2]);
        assert_eq!(take(&mut tree, 1, 2), first, "the same token, drawn by the model as it is");
        assert!(!tree.take(changed.into(), None) && tree.current().id == second);
        assert!(tree.change(2, [].into()) && tree.current().edits.is_empty());
        assert!(tree.current().is_changed(), "some of its steps were made with changes");
    }

    #[test]
    fn a_branch_parts_from_whom_the_step_belongs_to() {
        let mut tree = grown(&[1, 2, 3, 4]);
        let first = tree.current().id;
        let second = take(&mut tree, 2, 9);
        make(&mut tree, 5);
        let before_it = take(&mut tree, 1, 8);
        assert_eq!(tree.get(before_it).unwrap().parent, Some(first));
        tree.switch(second);
        let beside_it = take(&mut tree, 2, 7);
        assert_eq!(tree.get(beside_it).unwrap().parent, Some(first));
        tree.switch(second);
        let behind_it = take(&mut tree, 3, 6);
        assert_eq!(tree.get(behind_it).unwrap().parent, Some(second));
        let order: Vec<_> = tree.in_order().iter().map(|branch| branch.id).collect();
        // The latest parting stands next to its parent.
        assert_eq!(order.len(), 5);
        assert_eq!((order[0], order[4]), (first, before_it));
        let place = |id| order.iter().position(|other| *other == id).unwrap();
        assert_eq!(place(behind_it), place(second) + 1);
    }

    #[test]
    fn what_is_deleted_goes_with_all_that_parts_from_it() {
        let mut tree = grown(&[1, 2, 3]);
        let first = tree.current().id;
        let second = take(&mut tree, 1, 7);
        make(&mut tree, 4);
        let third = take(&mut tree, 2, 8);
        assert!(!tree.delete(first), "the first stays");
        let before = tree.clone();
        assert!(tree.delete(second));
        assert_eq!((tree.branches().len(), tree.current().id), (1, first));
        let now = tree.go_to(before);
        assert_eq!((tree.branches().len(), tree.current().id), (3, third));
        tree.go_to(now);
        assert_eq!(tree.branches().len(), 1);
    }

    #[test]
    fn going_back_to_a_moment_loses_no_step() {
        let mut tree = grown(&[1, 2]);
        let first = tree.current().id;
        let start = tree.clone();
        let second = take(&mut tree, 1, 7);
        let unnamed = tree.clone();
        assert!(tree.rename(second, " Another "));
        tree.switch(first);
        make(&mut tree, 3);
        make(&mut tree, 4);
        let named = tree.go_to(unnamed);
        assert_eq!(tree.get(second).unwrap().name, "Branch 2");
        tree.go_to(start);
        assert_eq!(tree.branches().len(), 1);
        assert_eq!(tokens(tree.current()), [1, 2, 3, 4]);
        assert_eq!(take(&mut tree, 0, 9), BranchId(3), "no name is given twice");
        tree.go_to(named);
        assert_eq!(tree.get(second).unwrap().name, "Another");
        assert_eq!(tokens(tree.get(first).unwrap()), [1, 2, 3, 4]);
        assert!(!tree.rename(first, "  "), "a name has letters");
    }
}
