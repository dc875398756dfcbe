//! Filters of entities and tags in requests.

use std::collections::BTreeSet;

use bridgehead_plugin_api::messages::simulation_interfaces as si;
use regex::{Regex, RegexBuilder};
use thiserror::Error;

use super::call::failed;
use super::message::points;
use super::posix_regex;
use super::view::View;
use crate::resources::{TagFilter, TagMode};
use crate::world::World;
use crate::world::entities::{Region, RegionError};

/// Why a filter is refused.
#[derive(Debug, Error)]
pub(super) enum FilterError {
    #[error("`{text}` is not a POSIX extended regular expression: {reason}")]
    Expression { text: String, reason: String },
    #[error("there is no filter mode {0}; give 0 (any) or 1 (all)")]
    Mode(u32),
    #[error("there are no bounds of type {0}; give 1 (box), 2 (convex hull) or 3 (sphere)")]
    BoundsType(u32),
    #[error(transparent)]
    Region(#[from] RegionError),
}

impl FilterError {
    /// Returns the result of a request with such a filter.
    pub(super) fn result(&self) -> Option<si::Result> {
        let code = match self {
            FilterError::BoundsType(_) => si::Result::RESULT_FEATURE_UNSUPPORTED,
            FilterError::Expression { .. } | FilterError::Mode(_) | FilterError::Region(_) => {
                si::Result::RESULT_OPERATION_FAILED
            }
        };
        failed(code, self.to_string())
    }
}

/// Largest compiled expression, bytes.
const LARGEST_EXPRESSION: usize = 1 << 20;

/// A valid filter.
pub(super) struct Filter {
    name: Option<Regex>,
    categories: BTreeSet<u32>,
    tags: TagFilter,
    region: Option<Region>,
}

impl Filter {
    /// Reads a filter.
    ///
    /// # Errors
    /// Returns an error if the expression, the tags or the bounds are malformed.
    pub(super) fn read(filters: Option<&si::EntityFilters>) -> Result<Self, FilterError> {
        let none = si::EntityFilters::default();
        let filters = filters.unwrap_or(&none);
        Ok(Filter {
            name: expression(&filters.filter)?,
            categories: filters.categories.iter().map(|category| category.category).collect(),
            tags: tags(filters.tags.as_ref())?,
            region: region(filters.bounds.as_ref())?,
        })
    }

    /// Returns true if a request has a filter that needs the shapes of entities.
    pub(super) fn needs_shapes(filters: Option<&si::EntityFilters>) -> bool {
        filters.and_then(|filters| filters.bounds.as_ref()).is_some_and(|bounds| bounds.r#type != 0)
    }

    /// Returns the indices in the entity facts of the entities that pass, in order. Without the world, no entity passes a
    /// filter of shapes.
    pub(super) fn select(&self, view: &View, world: Option<&World>) -> Vec<usize> {
        let inside: Option<BTreeSet<String>> = self.region.as_ref().map(|region| {
            let Some(world) = world else { return BTreeSet::new() };
            let models = world.overlapping(region).into_iter();
            models.filter_map(|index| Some(world.models().get(index)?.name.clone())).collect()
        });
        let passes = |index: &usize| {
            let (Some(name), Some(info)) =
                (view.entity_facts.names.get(*index), view.entity_facts.infos.get(*index))
            else {
                return false;
            };
            let category = info.category.unwrap_or_default().category;
            self.name.as_ref().is_none_or(|expression| expression.is_match(name))
                && (self.categories.is_empty() || self.categories.contains(&category))
                && self.tags.accepts(&info.tags)
                && inside.as_ref().is_none_or(|inside| inside.contains(name))
        };
        (0..view.entity_facts.names.len()).filter(passes).collect()
    }
}

fn expression(text: &str) -> Result<Option<Regex>, FilterError> {
    if text.is_empty() {
        return Ok(None);
    }
    let refused = |reason: String| FilterError::Expression { text: text.to_owned(), reason };
    let translated = posix_regex::translated(text).map_err(|error| refused(error.to_string()))?;
    let built = RegexBuilder::new(&translated).size_limit(LARGEST_EXPRESSION).build();
    built.map(Some).map_err(|error| refused(error.to_string().replace('\n', " ")))
}

/// Reads the wanted tags.
///
/// # Errors
/// Returns an error if the mode is unknown.
pub(super) fn tags(filter: Option<&si::TagsFilter>) -> Result<TagFilter, FilterError> {
    let Some(filter) = filter else { return Ok(TagFilter::default()) };
    let mode = match filter.filter_mode {
        si::TagsFilter::FILTER_MODE_ANY => TagMode::Any,
        si::TagsFilter::FILTER_MODE_ALL => TagMode::All,
        other => return Err(FilterError::Mode(other)),
    };
    Ok(TagFilter { tags: filter.tags.clone(), mode })
}

fn region(bounds: Option<&si::Bounds>) -> Result<Option<Region>, FilterError> {
    let Some(bounds) = bounds else { return Ok(None) };
    let points = points(&bounds.points);
    let region = match bounds.r#type {
        si::Bounds::TYPE_EMPTY => return Ok(None),
        si::Bounds::TYPE_BOX => Region::aligned_box(&points),
        si::Bounds::TYPE_CONVEX_HULL => Region::hull(&points),
        si::Bounds::TYPE_SPHERE => Region::sphere(&points),
        other => return Err(FilterError::BoundsType(other)),
    };
    Ok(region.map(Some)?)
}
