//! How far one has gone into the map: the model, a layer, a head, or one number that is worked out.

use crate::app::core::MapZoom;
use strum::{EnumIter, EnumString, IntoStaticStr};

/// Which kind of number is worked out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum WorkedNumber {
    /// The query times a key.
    #[default]
    Score,
    /// Scores to shares.
    Softmax,
    /// One dimension of what the head puts out.
    WeightedSum,
    /// The norm before the MLP.
    Norm,
}

/// What is looked at on the map. The layer and the head are those that are chosen everywhere in the room.
#[derive(Clone, Copy, Debug, Default)]
pub struct MapState {
    /// How close it is looked at.
    pub zoom: MapZoom,
    /// What is worked out at the closest.
    pub number: WorkedNumber,
    /// The position whose key was chosen; none for the one that is read most.
    pub key: Option<usize>,
    /// The dimension whose number is worked out, from 0.
    pub dim: usize,
}

/// A move or a choice on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapAction {
    /// To this level.
    Zoom(MapZoom),
    /// One level out.
    Out,
    /// Work this kind of number out.
    WorkOut(WorkedNumber),
    /// The key that the query of the chosen token meets.
    ChooseKey(usize),
    /// The dimension whose number is worked out, from 0.
    ChooseDim(usize),
}

impl MapState {
    pub(super) fn update(&mut self, action: MapAction) {
        match action {
            MapAction::Zoom(zoom) => self.zoom = zoom,
            MapAction::Out => self.zoom = self.zoom.out().unwrap_or_default(),
            MapAction::WorkOut(number) => (self.zoom, self.number) = (MapZoom::Number, number),
            MapAction::ChooseKey(key) => self.key = Some(key),
            MapAction::ChooseDim(dim) => self.dim = dim,
        }
    }
}
