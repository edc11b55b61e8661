//! Tokenscope shows how a language model generates text, with a real model running inside it.
//!
//! ```text
//!  trace      what happened: immutable records                          L0
//!  message    what is to be said, before any language                   L0
//!  files      reads files that somebody else made                       L0
//!  signals    the system's wish that the program ends                   L0
//!  sampling   logits → token     text   strings ↔ tokens                L1
//!  model      tokens → logits (candle)                                  L1
//!  inspect    what is measured on the records of a pass                L1
//!  recording  sessions as files    export  JSON, CSV, HTML             L2
//!  engine     runs sessions on threads, loads models                    L3
//!  app        what is shown and what a click means, without pixels      L4
//!  words      what the window says, in each language                    L5
//!  ui         egui draws it      cli    the same records on a terminal  L6
//! ```
//!
//! A layer imports only from layers above it in this picture. Data flows one way: the engine makes a
//! [`trace::StepRecord`] of each token, the application collects them in a [`trace::Trace`], panels draw from that.

pub mod app;
pub mod cli;
pub mod engine;
pub mod export;
mod files;
pub mod inspect;
pub mod message;
pub mod model;
pub mod recording;
pub mod sampling;
pub mod signals;
pub mod text;
pub mod trace;
pub mod ui;
pub mod words;
