//! Tokenscope shows how a language model generates text, with a real model running inside it.
//!
//! ```text
//!  trace      what happened: immutable records                          L0
//!  sampling   logits → token     text   strings ↔ tokens                L1
//!  model      tokens → logits (candle)                                  L1
//!  engine     runs sessions on threads, loads models                    L2
//!  app        what is shown and what a click means, without pixels      L3
//!  ui         egui draws it      cli    the same records on a terminal  L4
//! ```
//!
//! A layer imports only from layers above it in this picture. Data flows one way: the engine makes a
//! [`trace::StepRecord`] of each token, the application collects them in a [`trace::Trace`], panels draw from that.

pub mod app;
pub mod cli;
pub mod engine;
pub mod model;
pub mod sampling;
pub mod text;
pub mod trace;
pub mod ui;
