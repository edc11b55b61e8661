//! What the prompt takes and what it does not, and what is said of the model that splits it.

use super::*;
use crate::export::Link;
use crate::message::msg;
use crate::text::TextError;
use std::str::FromStr as _;

#[test]
fn a_text_that_could_fit_no_window_is_not_taken() {
    let mut app = App::with_tokens(3);
    let (prompt, tokens) = (app.state.prompt.text.clone(), shown_tokens(&app));
    let long = "a".repeat(TextError::MOST_BYTES + 1);
    let link = Link::from_str(&format!("tokenscope:?prompt={long}")).unwrap();
    for action in [Action::Prompt(PromptAction::Edit(long)), Action::Sessions(SessionsAction::OpenLink(Box::new(link)))]
    {
        assert!(app.act(action).is_empty() && app.questions.is_empty());
        let problem = app.state.prompt.problem.as_ref().map(said).unwrap();
        assert!(problem.contains("1048577 bytes") && problem.contains("shorten"), "{problem}");
        assert_eq!((&app.state.prompt.text, shown_tokens(&app)), (&prompt, tokens.clone()));
    }
    app.act_and_settle(Action::Prompt(PromptAction::Edit("The cat".to_owned())));
    assert_eq!(app.state.prompt.problem, None);
}

#[test]
fn a_setting_of_the_model_that_is_not_followed_is_told() {
    let mut app = App::ready();
    let neglected = Some(msg!("load-prefix-space", wanted = "true"));
    receive(&mut app.state, Event::Loaded(LoadedModel { neglected, ..MODEL.clone() }));
    assert!(app.state.notice.as_ref().is_some_and(|notice| said(notice).contains("add_prefix_space")));
}
