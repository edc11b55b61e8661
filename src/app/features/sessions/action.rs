//! What is done with files and links.

use crate::app::core::{Control, Export};
use crate::export::Link;
use std::path::PathBuf;

/// What is done with files and links.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionsAction {
    /// Open or close the choice of session files, to open one or to write this.
    ToggleDialog(Option<Export>),
    /// The path being typed for it.
    EditPath(String),
    /// Write something to a file.
    Export(Export, PathBuf),
    /// Let the user choose where to write it.
    ChooseTarget(Export),
    /// Read a session file.
    Open(PathBuf),
    /// Let the user choose one.
    Choose,
    /// Open what a program left when it died.
    Recover(PathBuf),
    /// Remove it.
    Forget(PathBuf),
    /// It is known by now what could not be read and was set aside.
    DismissSetAside,
    /// Copy prompt, settings and seed as a line.
    CopyLink,
    /// Restore them from one.
    OpenLink(Box<Link>),
}

impl SessionsAction {
    /// What has to be free for this to be done; `None` for what no lesson locks.
    pub(in crate::app) fn control(&self) -> Option<Control> {
        let is_free = matches!(
            self,
            Self::EditPath(_) | Self::Recover(_) | Self::Forget(_) | Self::DismissSetAside | Self::CopyLink
        );
        (!is_free).then_some(Control::Session)
    }
}
