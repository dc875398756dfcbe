//! An Indexed Job of Kubernetes. The manifest is printed; `kubectl` applies it.

use super::Shards;

/// What only the manifest needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// The image, with the program and everything that the plan names.
    pub image: String,
    /// The claim of the volume with the store; `None` if the store is in a bucket.
    pub claim: Option<String>,
    /// The secret whose values become environment variables, such as the credentials of a bucket.
    pub secret: Option<String>,
}

/// Lines of a container and of its pod that depend on the store.
struct Extra {
    container: String,
    pod: String,
}

impl Extra {
    fn of(shards: &Shards, cluster: &Cluster) -> Self {
        let mut extra = Extra { container: String::new(), pod: String::new() };
        if let Some(secret) = &cluster.secret {
            extra.container = format!(
                "          envFrom:\n            - secretRef:\n                name: {}\n",
                text(secret)
            );
        }
        if let Some(claim) = &cluster.claim {
            let store = text(&shards.store.to_string());
            extra.container += &format!(
                "          volumeMounts:\n            - name: store\n              mountPath: {store}\n"
            );
            extra.pod = format!(
                "      volumes:\n        - name: store\n          persistentVolumeClaim:\n            claimName: {}\n",
                text(claim)
            );
        }
        extra
    }
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
    let image = text(&cluster.image);
    let Extra { container, pod } = Extra::of(shards, cluster);
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
{container}{pod}"#
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
    use crate::Address;

    #[test]
    fn the_manifest_starts_each_shard_once() {
        let shards = Shards {
            campaign: "Nightly_Tests".to_owned(),
            program: "/opt/bridgehead".into(),
            store: Address::Folder("/my store".into()),
            count: 40,
            most_parallel: Some(8),
            arguments: Vec::new(),
        };
        let cluster = Cluster {
            image: "registry.example/sim:1".to_owned(),
            claim: Some("campaign".to_owned()),
            secret: None,
        };
        let text = manifest(&shards, &cluster);
        for line in [
            "  name: \"bridgehead-nightly-tests\"",
            "  completions: 40",
            "  parallelism: 8",
            r#"          args: ["exec /opt/bridgehead campaign shard \"$((JOB_COMPLETION_INDEX + 1))/40\" --store '/my store' --jobs 1"]"#,
            r#"              mountPath: "/my store""#,
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        let address = "s3://robots/nightly".parse().expect("an address");
        let cluster = Cluster { claim: None, secret: Some("robots".to_owned()), ..cluster };
        let text = manifest(&Shards { store: address, ..shards }, &cluster);
        assert!(text.ends_with("            - secretRef:\n                name: \"robots\"\n"), "{text}");
        assert!(text.contains("--store s3://robots/nightly ") && !text.contains("volume"), "{text}");
        assert_eq!(label("Ü--"), "campaign");
    }
}
