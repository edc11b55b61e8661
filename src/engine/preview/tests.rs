//! Questions in, answers out, with a waker that can hold the thread still.

use super::*;
use crate::engine::{LoadRequest, LoadedModel, load};
use crate::sampling::{Chain, Detail, SamplerSettings, Stage, StepContext, coin, xtc_coin};
use crate::trace::PassId;
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, LazyLock, Mutex};
use std::time::{Duration, Instant};

#[track_caller]
fn wait_until<T>(what: &str, mut poll: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        if let Some(value) = poll() {
            return value;
        }
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

static MODEL: LazyLock<LoadedModel> =
    LazyLock::new(|| load(&LoadRequest::default(), &mut |_| ControlFlow::Continue(())).unwrap().public);

fn step(index: usize) -> StepInput {
    StepInput {
        key: StepKey { pass: PassId(1), index },
        model: Arc::clone(&MODEL.identity),
        logits: (0..4096).map(|id| (id as f32 * 0.37).sin() * 5.0).collect(),
        history: [1, 2, 3].into(),
        n_prompt: 2,
        mu: None,
    }
}

fn what_if(index: usize) -> Question {
    let settings = SamplerSettings::of([Stage::temperature(0.5), Stage::top_k(40)]);
    Question::WhatIf { step: step(index), settings }
}

#[test]
fn every_kind_of_question_is_answered() {
    let model = &*MODEL;
    let preview = PreviewHandle::spawn(Arc::new(|| ())).unwrap();
    let ask = |question| {
        preview.try_ask(question).unwrap();
        wait_until("an answer", || preview.try_recv())
    };
    let tokenizer = Arc::clone(&model.tokenizer);
    let answer = ask(Question::Tokenize { serial: 7, text: "The cat".to_owned(), tokenizer });
    let Answer::Tokens(7, Ok(tokens)) = answer else { panic!("{answer:?}") };
    assert_eq!(tokens, model.tokenizer.encode("The cat").unwrap());

    let tokenizer = Arc::clone(&model.tokenizer);
    let answer = ask(Question::Merges { serial: 8, text: "The cat".to_owned(), tokenizer });
    let Answer::Merges(8, Ok(merges)) = answer else { panic!("{answer:?}") };
    assert_eq!(*merges, model.tokenizer.merges("The cat").unwrap());

    let Answer::WhatIf(answer) = ask(what_if(3)) else { panic!() };
    let context = StepContext {
        history: &[1, 2, 3],
        n_prompt: 2,
        coin: coin(0, 3),
        xtc_coin: xtc_coin(0, 3),
        mu: None,
        masks: None,
    };
    let chain = Chain(vec![Stage::temperature(0.5), Stage::top_k(40)]);
    let expected = chain.run(&step(3).logits, &context, Detail::Head(crate::engine::HEAD_LEN));
    assert_eq!(answer.key, step(3).key);
    assert_eq!(answer.result, Ok(expected.unwrap()));

    let settings = SamplerSettings::of([Stage::top_k(40)]);
    let vocabulary = Arc::clone(&model.vocabulary);
    let query = "cat".to_owned();
    let Answer::SearchHits(found) = ask(Question::Search { step: step(4), settings, query, vocabulary }) else {
        panic!()
    };
    assert_eq!((found.key, found.query.as_str()), (step(4).key, "cat"));
    let candidates = found.candidates.as_ref().unwrap();
    assert!(!candidates.is_empty() && candidates.len() <= 50);
    for (candidate, _) in candidates {
        let bytes = model.vocabulary.bytes(candidate.id).to_ascii_lowercase();
        assert!(bytes.windows(3).any(|window| window == b"cat"));
        assert_eq!(candidate.logit, f64::from(step(4).logits[candidate.id as usize]));
    }
}

#[test]
fn a_step_without_numbers_is_answered_by_a_problem() {
    let preview = PreviewHandle::spawn(Arc::new(|| ())).unwrap();
    let broken = StepInput { logits: [f32::NAN].into(), ..step(0) };
    preview.try_ask(Question::WhatIf { step: broken, settings: SamplerSettings::default() }).unwrap();
    let Answer::WhatIf(answer) = wait_until("an answer", || preview.try_recv()) else { panic!() };
    assert!(crate::words::Words::ENGLISH.tell(answer.result.as_ref().unwrap_err()).contains("token 0"));
}

/// Holds whoever passes while it is closed.
#[derive(Default)]
struct Gate {
    /// (closed, how many have come)
    state: Mutex<(bool, usize)>,
    changed: Condvar,
}

impl Gate {
    fn closed() -> Arc<Self> {
        Arc::new(Self { state: Mutex::new((true, 0)), changed: Condvar::new() })
    }

    fn pass(&self) {
        let mut state = self.state.lock().unwrap();
        state.1 += 1;
        let _open = self.changed.wait_while(state, |state| state.0).unwrap();
    }

    fn open(&self) {
        self.state.lock().unwrap().0 = false;
        self.changed.notify_all();
    }

    fn n_came(&self) -> usize {
        self.state.lock().unwrap().1
    }
}

#[test]
fn the_latest_question_of_each_kind_wins_and_a_full_queue_gives_it_back() {
    let (model, gate) = (&*MODEL, Gate::closed());
    let at_gate = Arc::clone(&gate);
    let preview = PreviewHandle::spawn(Arc::new(move || at_gate.pass())).unwrap();
    preview.try_ask(what_if(0)).unwrap();
    wait_until("the thread to stand still", || (gate.n_came() == 1).then_some(()));

    let tokenize = |serial| {
        let text = format!("text {serial}");
        Question::Tokenize { serial, text, tokenizer: Arc::clone(&model.tokenizer) }
    };
    for index in 1..=32 {
        preview.try_ask(what_if(index)).unwrap();
        preview.try_ask(tokenize(index as u64)).unwrap();
    }
    let Err(Question::Tokenize { serial: 99, .. }) = preview.try_ask(tokenize(99)) else {
        panic!("64 questions wait, there is no room for another")
    };
    gate.open();
    let mut answers = Vec::new();
    wait_until("the three answers", || {
        answers.extend(preview.try_recv());
        (answers.len() == 3).then_some(())
    });
    preview.try_ask(what_if(100)).unwrap();
    let last = wait_until("one more answer", || preview.try_recv());
    let index = |answer: &Answer| match answer {
        Answer::WhatIf(answer) => answer.key.index,
        other => panic!("{other:?}"),
    };
    assert_eq!((index(&answers[0]), index(&answers[2]), index(&last)), (0, 32, 100));
    assert!(matches!(answers[1], Answer::Tokens(32, Ok(_))), "{:?}", answers[1]);
}

#[test]
fn the_thread_ends_with_its_handle() {
    // The thread holds the waker as long as it lives.
    let alive = Arc::new(());
    let in_waker = Arc::clone(&alive);
    let preview = PreviewHandle::spawn(Arc::new(move || assert!(Arc::strong_count(&in_waker) > 0))).unwrap();
    // Some answers wait in the queue and nobody fetches them.
    for index in 0..200 {
        wait_until("room", || preview.try_ask(what_if(index)).ok());
        if index > 70 {
            break;
        }
    }
    drop(preview);
    wait_until("the thread to end", || (Arc::strong_count(&alive) == 1).then_some(()));
}

#[test]
fn steps_are_held_against_each_other_with_what_ran_there() {
    let chain = |k| Chain(vec![Stage::top_k(k)]);
    let recorded = |k| Recorded { input: step(3), chain: chain(k), xtc_coin: 0.0 };
    let Answer::Compared(compared) = answer(Question::Compare { steps: [recorded(1), recorded(4)] }) else { panic!() };
    let comparison = compared.result.as_ref().unwrap();
    assert_eq!((compared.keys, comparison.raw.total_variation), ([step(3).key; 2], 0.0));
    assert_eq!(comparison.last.kl_bits[1], f64::INFINITY);
    let other = Recorded { input: StepInput { logits: [1.0; 9].into(), ..step(3) }, ..recorded(1) };
    let Answer::Compared(compared) = answer(Question::Compare { steps: [recorded(1), other] }) else { panic!() };
    assert!(crate::words::Words::ENGLISH.tell(compared.result.as_ref().unwrap_err()).contains("different tokens"));
}

#[test]
fn the_place_of_any_token_is_found_with_what_became_of_it() {
    let recorded = Recorded { input: step(3), chain: Chain(vec![Stage::top_k(2)]), xtc_coin: 0.0 };
    let Answer::Placed(placed) = answer(Question::Place { step: recorded.clone(), id: 7 }) else { panic!() };
    let (candidate, outcome) = placed.result.unwrap();
    assert_eq!((candidate.id, candidate.logit as f32, outcome.dropped_by), (7, step(3).logits[7], Some(0)));
    let Answer::Placed(placed) = answer(Question::Place { step: recorded, id: 99_999 }) else { panic!() };
    assert!(placed.result.is_err());
}

#[test]
fn a_what_if_follows_the_text_through_a_constraint() {
    let capital = MODEL.tokenizer.encode(" Par").unwrap().last().unwrap().id;
    let history = [0, 1, capital];
    let step = StepInput { history: history.into(), ..step(1) };
    let settings = SamplerSettings::of([Stage::regex(" Par[ai]")]);
    let Answer::WhatIf(what_if) = answer(Question::WhatIf { step, settings }) else { panic!() };
    let left = &what_if.result.as_ref().unwrap().last().head;
    assert!(left.iter().all(|candidate| matches!(MODEL.vocabulary.bytes(candidate.id), b"a" | b"i")), "{left:?}");
    assert_eq!(left.len(), 2);
}
