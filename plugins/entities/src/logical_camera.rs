//! The logical camera: reports the models in its view with their poses, instead of pixels. A model is seen if the box
//! around its collisions intersects the view; nothing occludes it.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{Entities, HostHandle, Params};
use bridgehead_plugin_api::messages::ros_gz_interfaces::{LogicalCameraImage, LogicalCameraImageModel};
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::sensor::{LinkSensor, Sensor, SensorOutput};

use crate::frustum::Frustum;
use crate::pose::{pose_message, relative};

/// One logical camera.
pub(crate) struct LogicalCamera {
    sensor: LinkSensor<LogicalCameraImage>,
    entities: Entities,
    frustum: Frustum,
    /// Its own model, which is not reported.
    vehicle: String,
}

impl Sensor for LogicalCamera {
    type Message = LogicalCameraImage;

    fn awake(host: HostHandle) -> Result<Self> {
        Ok(LogicalCamera {
            sensor: LinkSensor::attach(host, "logical_camera")?,
            entities: host.entities()?,
            frustum: read_frustum(host.params()?)?,
            vehicle: host.model()?.attachment()?.vehicle,
        })
    }

    fn output(&self) -> &SensorOutput<LogicalCameraImage> {
        &self.sensor
    }

    fn measure(&mut self, step: &Step, _: u64) -> Result {
        let camera = self.sensor.state()?.pose;
        let mut model = Vec::new();
        for entity in self.entities.iter().filter(|entity| entity.name != self.vehicle) {
            let seen = relative(camera, entity.pose);
            if self.frustum.meets(seen, entity.box_min, entity.box_max) {
                model.push(LogicalCameraImageModel { name: entity.name, pose: Some(pose_message(seen)) });
            }
        }
        let header = Some(self.sensor.header(step));
        let message = LogicalCameraImage { header, pose: Some(pose_message(camera)), model };
        self.sensor.publish(step, &message)
    }
}

/// Reads the `<logical_camera>` element; SDF has no defaults for it except those of its description.
fn read_frustum(params: Params) -> Result<Frustum> {
    let read = |name: &str, default: f64| -> Result<f64> {
        let path = format!("logical_camera/{name}");
        let value = params.get_or(&path, default)?;
        let is_right = value > 0.0 && value.is_finite();
        if is_right { Ok(value) } else { Err(params.refuse(&path, &value.to_string(), "a number above 0")) }
    };
    let (near, far) = (read("near", 0.1)?, read("far", 100.0)?);
    if near >= far {
        return Err(params.refuse(
            "logical_camera/near",
            &near.to_string(),
            format!("less than <far>, {far}"),
        ));
    }
    let fov = read("horizontal_fov", 1.0)?;
    if fov >= std::f64::consts::PI {
        let path = "logical_camera/horizontal_fov";
        return Err(params.refuse(path, &fov.to_string(), "radians, less than pi"));
    }
    Ok(Frustum::new(near, far, fov, read("aspect_ratio", 1.0)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::host::{Entity, EntityId, LinkState, Pose};
    use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

    fn camera() -> TestHostBuilder {
        TestHost::builder().vehicle("car").link("base").parent_link("base").params([
            ("logical_camera/near", "0.5"),
            ("logical_camera/far", "10"),
            ("logical_camera/horizontal_fov", "1.5707963"),
            ("logical_camera/aspect_ratio", "1"),
        ])
    }

    fn entity(name: &str, id: u64, position: [f64; 3]) -> Entity {
        Entity {
            id: EntityId(id),
            name: name.to_owned(),
            is_static: false,
            is_spawned: false,
            pose: Pose { position, ..Pose::IDENTITY },
            linear: [0.0; 3],
            angular: [0.0; 3],
            box_min: [-0.5; 3],
            box_max: [0.5; 3],
        }
    }

    #[test]
    fn models_in_view_are_reported_with_poses_in_the_cameras_frame() {
        let host = camera().build();
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let pose = Pose { position: [0.0, 0.0, 1.0], orientation: [0.0, 0.0, half, half] };
        host.set_link_state("base", LinkState { pose, linear: [0.0; 3], angular: [0.0; 3] });
        for (id, (name, position)) in [
            ("car", [0.0, 3.0, 1.0]),
            ("ahead", [0.0, 4.0, 1.0]),
            ("behind", [0.0, -4.0, 1.0]),
            ("far", [0.0, 11.0, 1.0]),
        ]
        .into_iter()
        .enumerate()
        {
            host.set_entity(entity(name, id as u64 + 1, position));
        }
        host.listen("logical_camera");
        TestModel::<LogicalCamera>::started(host).step().expect_done();
        let image: LogicalCameraImage = host.last("logical_camera");
        let [seen] = image.model.as_slice() else { panic!("one model, not {:?}", image.model) };
        assert_eq!(seen.name, "ahead");
        let position = seen.pose.as_ref().and_then(|pose| pose.position.as_ref()).expect("a position");
        assert!((position.x - 4.0).abs() < 1e-12 && position.y.abs() < 1e-12 && position.z.abs() < 1e-12);
        assert_eq!(host.unread_params(), Vec::<String>::new());
    }

    #[test]
    fn a_far_distance_below_the_near_one_is_refused() {
        let host = TestHost::builder()
            .vehicle("car")
            .link("base")
            .parent_link("base")
            .param("logical_camera/near", 200)
            .build();
        let error = TestModel::<LogicalCamera>::create(host).awake().expect_failed();
        assert!(
            error.text().ends_with("`logical_camera/near` is `200`; expected less than <far>, 100"),
            "{error}"
        );
    }
}
