//! The system's dialogs for files and folders. Each waits for the user, so it waits on a thread of its own.

use crate::app::Export;
use crate::engine::Waker;
use crate::recording::EXTENSION;
use rfd::FileDialog;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

pub(super) enum Picked {
    Folder(PathBuf),
    Lessons(PathBuf),
    Tokenizer(PathBuf),
    Session(PathBuf),
    Target(Export, PathBuf),
}

/// The dialogs that are open.
pub(super) struct Dialogs {
    picked: (SyncSender<Option<Picked>>, Receiver<Option<Picked>>),
    waker: Waker,
}

impl Dialogs {
    pub(super) fn new(waker: Waker) -> Self {
        Self { picked: sync_channel(1), waker }
    }

    /// What was picked since the last time.
    pub(super) fn picked(&self) -> Option<Picked> {
        self.picked.1.try_recv().ok().flatten()
    }

    /// For a file to write. The thread of a dialog speaks no language: its title goes with it.
    pub(super) fn pick_target(&self, what: Export, title: String) -> std::io::Result<()> {
        self.open(move || {
            let extension = what.extension();
            let dialog = FileDialog::new().set_title(title).add_filter(extension, &[extension]);
            dialog.set_file_name(format!("session.{extension}")).save_file().map(|path| Picked::Target(what, path))
        })
    }

    pub(super) fn pick_session(&self, title: &'static str) -> std::io::Result<()> {
        self.open(move || {
            let dialog = FileDialog::new().set_title(title).add_filter(EXTENSION, &[EXTENSION]);
            dialog.pick_file().map(Picked::Session)
        })
    }

    pub(super) fn pick_tokenizer(&self, title: &'static str) -> std::io::Result<()> {
        self.open(move || {
            let dialog = FileDialog::new().set_title(title).add_filter("tokenizer.json", &["json"]);
            dialog.pick_file().map(Picked::Tokenizer)
        })
    }

    /// For a folder of models, of lessons, or with a tokenizer.
    pub(super) fn pick_folder(&self, title: &'static str, picked: fn(PathBuf) -> Picked) -> std::io::Result<()> {
        self.open(move || FileDialog::new().set_title(title).pick_folder().map(picked))
    }

    fn open(&self, dialog: impl FnOnce() -> Option<Picked> + Send + 'static) -> std::io::Result<()> {
        let (sender, waker) = (self.picked.0.clone(), Arc::clone(&self.waker));
        let work = move || {
            let _gone = sender.send(dialog());
            waker();
        };
        std::thread::Builder::new().name("dialog".to_owned()).spawn(work).map(drop)
    }
}
