//! `<worldbody>`, `<body>` and `<frame>`: the tree of bodies with their joints and geoms.

use super::class_table::MAIN;
use super::value::Range;
use super::{At, Reader};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Element;
use crate::limits::Limit;
use crate::mjcf::robot::{Body, BodyMass, WORLD_BODY};
use bridgehead_pose::Pose;

/// Where children of a body or frame belong.
#[derive(Clone, Copy)]
struct Inside {
    body: usize,
    /// The pose of the frame in the body.
    frame: Pose,
    class: usize,
    depth: u64,
}

impl<'d> Reader<'d> {
    /// The world without content.
    pub(super) fn world_body(&self, root: Element<'d>) -> Body<'d> {
        Body {
            name: "world",
            at: root,
            parent: WORLD_BODY,
            pose: Pose::IDENTITY,
            joints: Vec::new(),
            is_free: false,
            geoms: Vec::new(),
            mass: BodyMass::None,
            has_gravity: true,
        }
    }

    /// Reads a `<worldbody>`.
    pub(super) fn read_world(
        &mut self,
        section: Element<'d>,
        bodies: &mut Vec<Body<'d>>,
    ) -> Result<(), Box<Diagnostic>> {
        let class = self.class(section, "childclass", MAIN);
        let inside = Inside { body: WORLD_BODY, frame: Pose::IDENTITY, class, depth: 0 };
        self.content(section, inside, bodies)
    }

    /// Reads what is inside a body or frame. Recursion is bounded by the limit of depth.
    fn content(
        &mut self,
        parent: Element<'d>,
        inside: Inside,
        bodies: &mut Vec<Body<'d>>,
    ) -> Result<(), Box<Diagnostic>> {
        self.budget.check(Limit::Depth, inside.depth, || Some(parent.location()))?;
        self.check_known(parent);
        for element in self.children(parent) {
            let class = self.class(element, "class", inside.class);
            let at = At { element, class };
            match element.name() {
                "body" => self.body(element, inside, bodies)?,
                "frame" => {
                    let class = self.class(element, "childclass", inside.class);
                    let frame = inside.frame.compose(&self.pose(At { element, class }));
                    self.content(
                        element,
                        Inside { frame, class, depth: inside.depth + 1, ..inside },
                        bodies,
                    )?;
                }
                "joint" | "freejoint" => self.read_joint(at, inside.frame, inside.body, bodies),
                "geom" => {
                    let geom = self.geom(at, inside.frame);
                    bodies[inside.body].geoms.extend(geom);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn body(
        &mut self,
        element: Element<'d>,
        outside: Inside,
        bodies: &mut Vec<Body<'d>>,
    ) -> Result<(), Box<Diagnostic>> {
        let class = self.class(element, "childclass", outside.class);
        let at = At { element, class };
        let index = bodies.len();
        if self.flag(at, "mocap") == Some(true) {
            let found = "a body that is moved from outside (`mocap`)";
            self.note(Code::MjcfNotConverted, element, found, "a body that physics moves; it stays in place");
        }
        let compensation = self.number(at, "gravcomp", Range::Finite).unwrap_or(0.0);
        if compensation != 0.0 && compensation != 1.0 {
            let found = format!("gravcomp=\"{compensation}\"");
            self.note(Code::MjcfNotConverted, element, found, "0 or 1; gravity acts as without it");
        }
        bodies.push(Body {
            name: element.attribute("name").map(str::trim).unwrap_or_default(),
            at: element,
            parent: outside.body,
            pose: outside.frame.compose(&self.pose(at)),
            joints: Vec::new(),
            is_free: false,
            geoms: Vec::new(),
            mass: BodyMass::None,
            has_gravity: compensation != 1.0,
        });
        let inside = Inside { body: index, frame: Pose::IDENTITY, class, depth: outside.depth + 1 };
        self.content(element, inside, bodies)?;
        bodies[index].mass = self.mass(element, &bodies[index].geoms);
        Ok(())
    }
}
