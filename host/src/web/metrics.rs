//! Metrics of the run and of the server in the text format of Prometheus.

use std::time::Duration;

use bridgehead_plugin_api::messages::{Message, bridgehead_simulation_interfaces as own};
use tokio::time::timeout;

use super::app::App;
use super::call::{ask, decoded};
use super::requests::Requests;

/// Content type of the format.
pub(super) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";
/// Longest time to wait for the run; metrics without a response in time are omitted.
const PATIENCE: Duration = Duration::from_secs(2);

/// Returns the page.
pub(super) async fn page(app: &App) -> String {
    let mut page = Page::default();
    page.single("up", "gauge", "Whether the host responds.", 1);
    if let Some(own::GetStatusResponse { status: Some(status), .. }) = look_up(app, "get_status").await {
        write_status(&mut page, &status);
    }
    if let Some(topics) = look_up::<own::GetTopicsResponse>(app, "get_topics").await {
        write_topics(&mut page, &topics.topics);
    }
    if let Some(bridges) = look_up::<own::GetBridgesResponse>(app, "get_bridges").await {
        write_bridges(&mut page, &bridges.bridges);
    }
    if let Some(statistics) = look_up::<own::GetStatisticsResponse>(app, "get_statistics").await {
        page.single(
            "overruns_total",
            "counter",
            "Steps that took longer than their share of wall time.",
            statistics.overruns,
        );
    }
    write_requests(&mut page, &app.requests);
    page.text
}

fn write_requests(page: &mut Page, requests: &Requests) {
    page.family("http_requests_total", "counter", "Answered requests.");
    for ((method, status), count) in &requests.counts() {
        page.value(&[("method", method), ("code", &status.to_string())], count);
    }
}

/// Calls a service with an empty request, by its declared name.
async fn look_up<R: Message>(app: &App, declared: &str) -> Option<R> {
    let endpoint = app.endpoints.all().find(|endpoint| endpoint.declared.name == declared)?;
    let response = timeout(PATIENCE, ask(&endpoint.point, Vec::new())).await.ok()?.ok()?;
    decoded(&response)
}

#[expect(clippy::cast_precision_loss, reason = "Prometheus counts in f64")]
fn write_status(page: &mut Page, status: &own::HostStatus) {
    page.family("info", "gauge", "The host.");
    page.value(&[("version", env!("CARGO_PKG_VERSION")), ("world", &status.world)], 1);
    page.family("state", "gauge", "The state of the lifecycle.");
    page.value(&[("state", &status.state)], 1);
    page.single("step", "gauge", "Steps since the last reset of time.", status.step);
    // The quotient is the f64 that is nearest to the decimal; a product with 1e-9 gives 0.9000000000000001.
    page.single("simulated_seconds", "gauge", "Simulated time.", status.time_ns as f64 / 1e9);
    page.single("step_width_seconds", "gauge", "Width of a step.", status.step_width_ns as f64 / 1e9);
    page.single("reset_epoch", "gauge", "Resets so far.", status.reset_epoch);
    page.single("real_time_factor", "gauge", "Simulated seconds per second.", status.real_time_factor);
    page.single(
        "real_time_factor_target",
        "gauge",
        "Requested simulated seconds per second; 0 is unlimited.",
        status.target_real_time_factor,
    );
    page.single(
        "real_time_factor_achievable",
        "gauge",
        "Simulated seconds per second without waiting.",
        status.achievable_real_time_factor,
    );
    page.single("errors", "gauge", "Errors so far.", status.errors.len());
}

fn write_topics(page: &mut Page, topics: &[own::TopicInfo]) {
    type Number = fn(&own::TopicInfo) -> f64;
    #[expect(clippy::cast_precision_loss, reason = "Prometheus counts in f64")]
    let families: [(&str, &str, &str, Number); 6] = [
        ("topic_published_total", "counter", "Messages published on a topic.", |topic| {
            topic.published as f64
        }),
        ("topic_bytes_total", "counter", "Bytes published on a topic.", |topic| topic.bytes as f64),
        ("topic_delivered_total", "counter", "Messages of a topic that bridges accepted.", |topic| {
            topic.delivered as f64
        }),
        ("topic_dropped_total", "counter", "Messages of a topic that were lost.", |topic| {
            topic.dropped as f64
        }),
        (
            "topic_overflowed_total",
            "counter",
            "Messages of a topic that were published faster than the simulation takes them.",
            |topic| topic.overflowed as f64,
        ),
        ("topic_rate", "gauge", "Messages per second on a topic.", |topic| topic.rate),
    ];
    for (name, kind, help, number) in families {
        page.family(name, kind, help);
        for topic in topics {
            page.value(
                &[("topic", &topic.topic), ("vehicle", &topic.vehicle), ("type", &topic.r#type)],
                number(topic),
            );
        }
    }
}

fn write_bridges(page: &mut Page, bridges: &[own::BridgeInfo]) {
    type Number = fn(&own::BridgeInfo) -> u64;
    let families: [(&str, &str, &str, Number); 5] = [
        ("bridge_status", "gauge", "Status of a bridge; 3 is connected.", |bridge| bridge.status.into()),
        ("bridge_delivered_total", "counter", "Messages that a bridge accepted.", |bridge| bridge.delivered),
        ("bridge_dropped_total", "counter", "Messages lost on the way to a bridge.", |bridge| bridge.dropped),
        ("bridge_lost_total", "counter", "Messages that a bridge accepted and then lost.", |bridge| {
            bridge.lost
        }),
        (
            "bridge_missed_total",
            "counter",
            "Messages published while a bridge was not connected.",
            |bridge| bridge.missed,
        ),
    ];
    for (name, kind, help, number) in families {
        page.family(name, kind, help);
        for bridge in bridges {
            page.value(
                &[("bridge", &bridge.label), ("vehicle", &bridge.vehicle), ("plugin", &bridge.bridge)],
                number(bridge),
            );
        }
    }
}

/// A page under construction.
#[derive(Default)]
struct Page {
    text: String,
    /// Starts a family of metrics.
    family: &'static str,
}

impl Page {
    fn family(&mut self, name: &'static str, kind: &str, help: &str) {
        self.family = name;
        self.text.push_str(&format!("# HELP bridgehead_{name} {help}\n"));
        self.text.push_str(&format!("# TYPE bridgehead_{name} {kind}\n"));
    }

    fn value(&mut self, labels: &[(&str, &str)], value: impl std::fmt::Display) {
        let labels: Vec<String> =
            labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
        let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
        self.text.push_str(&format!("bridgehead_{}{labels} {value}\n", self.family));
    }

    fn single(&mut self, name: &'static str, kind: &str, help: &str, value: impl std::fmt::Display) {
        self.family(name, kind, help);
        self.value(&[], value);
    }
}

fn escaped(label: &str) -> String {
    label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Method;

    #[test]
    fn times_are_the_decimals_that_people_write() {
        let mut page = Page::default();
        let status = own::HostStatus { time_ns: 900_000_000, step_width_ns: 900_000, ..Default::default() };
        write_status(&mut page, &status);
        let has = |line: &str| page.text.lines().any(|found| found == line);
        assert!(has("bridgehead_simulated_seconds 0.9"), "{}", page.text);
        assert!(has("bridgehead_step_width_seconds 0.0009"), "{}", page.text);
    }

    #[test]
    fn labels_are_escaped_and_families_told_once() {
        let mut page = Page::default();
        page.family("topic_rate", "gauge", "Messages per second on a topic.");
        page.value(&[("topic", "/a\"b\\c\n")], 2.5);
        page.value(&[], 1);
        assert_eq!(
            page.text,
            "# HELP bridgehead_topic_rate Messages per second on a topic.\n# TYPE bridgehead_topic_rate gauge\n\
             bridgehead_topic_rate{topic=\"/a\\\"b\\\\c\\n\"} 2.5\nbridgehead_topic_rate 1\n"
        );
    }

    #[test]
    fn methods_of_strangers_are_one() {
        let requests = Requests::default();
        for method in ["GET", "GET", "FOO", "BAR"] {
            requests.count(&Method::from_bytes(method.as_bytes()).expect("a method"), 200);
        }
        let mut page = Page::default();
        write_requests(&mut page, &requests);
        assert!(page.text.contains("{method=\"GET\",code=\"200\"} 2\n"), "{}", page.text);
        assert!(page.text.contains("{method=\"other\",code=\"200\"} 2\n"), "{}", page.text);
    }
}
