//! An Indexed Job of Kubernetes. The manifest is printed; `kubectl` applies it.

use super::Shards;

/// What only the manifest needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// The image, with the program and everything that the plan names.
    pub image: String,
    /// The claim of the volume with the store.
    pub claim: String,
}

/// Returns the manifest.
///
/// A pod that is evicted or preempted does not count as a failure; a shard with a wrong configuration (exit code 1) is not
/// tried again. A replacement starts only after its predecessor has ended, though a run may bear being executed twice.
#[must_use]
pub fn manifest(shards: &Shards, cluster: &Cluster) -> String {
    let name = label(&shards.campaign);
    let count = shards.count;
    let parallel = shards.most_parallel.unwrap_or(count).min(count);
    let command = text(&shards.command("JOB_COMPLETION_INDEX + 1"));
    let (image, claim, store) =
        (text(&cluster.image), text(&cluster.claim), text(&shards.store.to_string_lossy()));
    format!(
        r#"apiVersion: batch/v1
kind: Job
metadata:
  name: "bridgehead-{name}"
  labels:
    app.kubernetes.io/name: bridgehead
    app.kubernetes.io/instance: "{name}"
spec:
  completionMode: Indexed
  completions: {count}
  parallelism: {parallel}
  backoffLimitPerIndex: 3
  podReplacementPolicy: Failed
  podFailurePolicy:
    rules:
      - action: Ignore
        onPodConditions:
          - type: DisruptionTarget
            status: "True"
      - action: FailIndex
        onExitCodes:
          containerName: shard
          operator: In
          values: [1]
  template:
    metadata:
      labels:
        app.kubernetes.io/name: bridgehead
        app.kubernetes.io/instance: "{name}"
    spec:
      restartPolicy: Never
      containers:
        - name: shard
          image: {image}
          command: ["/bin/sh", "-c"]
          args: [{command}]
          resources:
            requests:
              cpu: "1"
          volumeMounts:
            - name: store
              mountPath: {store}
      volumes:
        - name: store
          persistentVolumeClaim:
            claimName: {claim}
"#
    )
}

/// Returns a text in quotes. YAML has the escapes of JSON.
fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns a name as Kubernetes allows it: lower case, digits and `-`, at most 50 letters.
fn label(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' })
        .take(50)
        .collect();
    let plain = plain.trim_matches('-');
    if plain.is_empty() { "campaign".to_owned() } else { plain.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_starts_each_shard_once() {
        let shards = Shards {
            campaign: "Nightly_Tests".to_owned(),
            program: "/opt/bridgehead".into(),
            store: "/my store".into(),
            count: 40,
            most_parallel: Some(8),
            arguments: Vec::new(),
        };
        let cluster = Cluster { image: "registry.example/sim:1".to_owned(), claim: "campaign".to_owned() };
        let manifest = manifest(&shards, &cluster);
        for line in [
            "  name: \"bridgehead-nightly-tests\"",
            "  completions: 40",
            "  parallelism: 8",
            r#"          args: ["exec /opt/bridgehead campaign shard \"$((JOB_COMPLETION_INDEX + 1))/40\" --store '/my store' --jobs 1"]"#,
            r#"              mountPath: "/my store""#,
        ] {
            assert!(manifest.lines().any(|found| found == line), "{line}\n{manifest}");
        }
        assert_eq!(label("Ü--"), "campaign");
    }
}
