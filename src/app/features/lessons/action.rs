//! What is done with lessons.

/// What a learner may do with a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LessonAction {
    /// Show or hide the lessons.
    ToggleList,
    /// Take the lesson of this id from its beginning.
    Open(String),
    /// Back to the list; what is on the screen stays.
    Leave,
    /// The next scene, or the end.
    Next,
    /// The scene before.
    Previous,
    /// One more hint.
    Hint,
    /// Let the lesson do what is asked.
    ShowMe,
    /// Answer a question of the quiz.
    Answer {
        /// Which question.
        question: usize,
        /// Which answer.
        answer: usize,
    },
    /// Go on without a prediction.
    LeaveOut,
    /// Look a term up, or close what was looked up.
    LookUp(Option<String>),
    /// Light this up.
    PointAt(Option<String>),
    /// Copy what is on the screen as a scene of a lesson.
    CopyScene,
}
