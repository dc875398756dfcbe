//! `campaign.json`: the name of the campaign that a store belongs to.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Address, json, refused};
use crate::CampaignError;

#[derive(Serialize, Deserialize)]
struct Claim {
    campaign: String,
}

/// Returns the content for a campaign.
pub(super) fn of(campaign: &str) -> Vec<u8> {
    json(&Claim { campaign: campaign.to_owned() })
}

/// Compares what the file or object with this name has with the campaign that uses the store.
pub(super) fn check(
    content: &[u8],
    name: &Path,
    campaign: &str,
    store: &Address,
) -> Result<(), CampaignError> {
    let claim: Claim =
        serde_json::from_slice(content).map_err(|error| refused(name, &io::Error::from(error)))?;
    if claim.campaign == campaign {
        return Ok(());
    }
    Err(CampaignError::OtherCampaign {
        store: store.to_string(),
        found: claim.campaign,
        asked: campaign.to_owned(),
    })
}
