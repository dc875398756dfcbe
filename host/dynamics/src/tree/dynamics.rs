//! The equations of motion of a tree: recursive Newton-Euler for the bias, composite bodies for the mass matrix.

use glam::DVec3;

use super::{Link, LinkWork, NONE, Tree, Work};
use crate::math::{Inertia, Spatial, rotation_by, unit};

impl Tree {
    /// Advances the velocities by the forces of a step, without contacts and constraints. Servos that would exceed their
    /// greatest effort become rows.
    pub(crate) fn accelerate(&mut self, h: f64, gravity: DVec3) {
        self.work.before.copy_from_slice(&self.velocities);
        let first = self.first_joint_freedom();
        loop {
            self.equations(h, gravity);
            let (freedoms, stride) = (self.skeleton.freedoms, self.skeleton.stride());
            for k in first..freedoms {
                let (impulse, gain) = self.freedoms[k].implicit(self.velocities[k]);
                self.work.pull[k] += impulse / h;
                self.work.matrix[k * stride + k] += gain;
            }
            self.factor();
            let mut change = std::mem::take(&mut self.work.pull);
            self.solve(&mut change);
            for (velocity, change) in self.velocities.iter_mut().zip(&change).take(freedoms) {
                *velocity += h * change;
            }
            self.work.pull = change;
            if !self.correct_axes() {
                return;
            }
            self.velocities.copy_from_slice(&self.work.before);
        }
    }

    /// Prepares servos and stops for a step.
    pub(crate) fn begin(&mut self, h: f64) {
        if self.base[1] != Spatial::ZERO {
            self.move_links();
        }
        let first = self.first_joint_freedom();
        let Self { freedoms, positions, velocities, .. } = self;
        for ((freedom, position), velocity) in freedoms.iter_mut().zip(positions).zip(velocities).skip(first)
        {
            freedom.begin(*position, *velocity, h, false);
        }
    }

    /// Corrects the state of servos and stops for the velocities. Returns true if any changed.
    pub(crate) fn correct_axes(&mut self) -> bool {
        let first = self.first_joint_freedom();
        let mut any = false;
        for (freedom, velocity) in self.freedoms.iter_mut().zip(&self.velocities).skip(first) {
            any |= freedom.correct(*velocity);
        }
        any
    }

    /// The first degree of freedom that is not one of a free root.
    pub(crate) fn first_joint_freedom(&self) -> usize {
        if self.skeleton.is_free { 6 } else { 0 }
    }

    /// Leaves the mass matrix, and in `pull` the generalised forces that accelerate it.
    pub(super) fn equations(&mut self, h: f64, gravity: DVec3) {
        self.root_acceleration(h, gravity);
        let Self { skeleton, work, poses, freedoms, .. } = self;
        for (index, link) in skeleton.links.iter().enumerate() {
            if index > 0 {
                let LinkWork { motion, acceleration, .. } = work.links[link.parent];
                let this = &mut work.links[index];
                // The motion relative to the parent moves along with the link.
                this.acceleration = acceleration + motion.cross(this.motion);
            }
            let center = poses[index].translation - work.origin;
            let weight = (!skeleton.is_heavy).then_some(gravity);
            work.links[index].need_force(link, center, h, weight);
        }
        let first = if skeleton.is_free { 6 } else { 0 };
        for (index, link) in skeleton.links.iter().enumerate().skip(1).rev() {
            work.gather(link, index, &skeleton.up, skeleton.stride(), first);
        }
        if skeleton.is_free {
            work.root_rows(skeleton.stride());
        }
        for (pull, freedom) in work.pull.iter_mut().zip(freedoms.iter()).skip(first) {
            *pull += freedom.axis.effort;
        }
    }

    fn root_acceleration(&mut self, h: f64, gravity: DVec3) {
        let motion = self.work.links[0].motion;
        // A uniform pull on all bodies is an acceleration of their root the other way.
        let lift = if self.skeleton.is_heavy { -gravity } else { DVec3::ZERO };
        let linear = lift - motion.angular.cross(motion.linear);
        let mut acceleration = Spatial::new(DVec3::ZERO, linear);
        if !self.skeleton.is_free {
            acceleration = acceleration + self.base[1] * (1.0 / h);
        }
        self.work.links[0].acceleration = acceleration;
    }
}

impl LinkWork {
    /// The force that the link needs for its acceleration, less what acts on it from outside; gravity too, if it is given.
    #[inline]
    fn need_force(&mut self, link: &Link, center: DVec3, h: f64, gravity: Option<DVec3>) {
        let mass = &link.mass;
        if mass.mass == 0.0 {
            (self.force, self.inertia) = (Spatial::ZERO, Inertia::default());
            return;
        }
        let (axes, motion) = (&self.rotation, self.motion);
        let inertia = Inertia::of_body(mass.mass, center, axes, mass.moments);
        let force = inertia.times(self.acceleration) + motion.cross_force(inertia.times(motion));
        let mut push = self.push;
        if let Some(gravity) = gravity {
            let weight = gravity * mass.heavy;
            push = push + Spatial::new((*axes * mass.heavy_center).cross(weight), weight);
        }
        if mass.decay != [0.0; 2] {
            let [linear, angular] = mass.decay.map(|decay| decay / (1.0 + h * decay));
            let velocity = motion.linear + motion.angular.cross(center);
            let spin = *axes * (mass.moments * (axes.transpose() * motion.angular));
            push = push - Spatial::new(spin * angular, velocity * (mass.mass * linear));
        }
        self.force = force - Spatial::new(push.angular + center.cross(push.linear), push.linear);
        self.inertia = inertia;
    }
}

impl Work {
    /// The rows of a joint, and what its link passes on to its parent.
    #[inline]
    fn gather(&mut self, link: &Link, index: usize, up: &[usize], stride: usize, first: usize) {
        let LinkWork { force, inertia, .. } = self.links[index];
        for freedom in link.freedom..link.freedom + link.joint.freedoms() {
            let axis = self.axes[freedom];
            self.pull[freedom] = -axis.dot(force);
            let momentum = inertia.times(axis);
            let row = &mut self.matrix[freedom * stride..(freedom + 1) * stride];
            row[freedom] = axis.dot(momentum);
            let mut above = up[freedom];
            while above != NONE && above >= first {
                row[above] = self.axes[above].dot(momentum);
                above = up[above];
            }
            if first > 0 {
                row[..3].copy_from_slice(&momentum.linear.to_array());
                row[3..6].copy_from_slice(&momentum.angular.to_array());
            }
        }
        let parent = &mut self.links[link.parent];
        parent.force = parent.force + force;
        parent.inertia.add(&inertia);
    }

    fn root_rows(&mut self, stride: usize) {
        let LinkWork { force, inertia, .. } = self.links[0];
        self.pull[..3].copy_from_slice(&(-force.linear).to_array());
        self.pull[3..6].copy_from_slice(&(-force.angular).to_array());
        let (mass, h, second) = (inertia.mass, inertia.first, inertia.second.rows());
        let rows = [
            [mass, 0.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, mass, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, mass, 0.0, 0.0, 0.0],
            [0.0, -h.z, h.y, second[0][0], 0.0, 0.0],
            [h.z, 0.0, -h.x, second[1][0], second[1][1], 0.0],
            [-h.y, h.x, 0.0, second[2][0], second[2][1], second[2][2]],
        ];
        for (index, row) in rows.iter().enumerate() {
            self.matrix[index * stride..index * stride + 6].copy_from_slice(row);
        }
    }
}

impl Tree {
    /// Displaces a joint without a velocity. A free root recoils, so that neither the centre of mass nor the mean rotation
    /// moves.
    pub(crate) fn displace(&mut self, freedom: usize, way: f64) {
        self.update();
        if self.skeleton.is_free {
            self.equations(1.0, DVec3::ZERO);
            let stride = self.skeleton.stride();
            let mut recoil = [0.0; 6];
            for (k, one) in recoil.iter_mut().enumerate() {
                *one = -self.work.matrix[freedom * stride + k] * way;
            }
            self.solve_rigid_root(&mut recoil);
            let [x, y, z, a, b, c] = recoil;
            let pose = &mut self.poses[0];
            pose.translation += DVec3::new(x, y, z);
            pose.rotation = unit(rotation_by(DVec3::new(a, b, c)) * pose.rotation);
        }
        self.positions[freedom] += way;
        self.update();
    }

    /// Solves the six rows of a free root, whose joints are rigid.
    fn solve_rigid_root(&self, x: &mut [f64; 6]) {
        let stride = self.skeleton.stride();
        let mut factors = [[0.0; 6]; 6];
        for i in 0..6 {
            for j in 0..=i {
                let sum: f64 = (0..j).map(|k| factors[i][k] * factors[j][k]).sum();
                let rest = self.work.matrix[i * stride + j] - sum;
                factors[i][j] =
                    if i == j { rest.max(f64::MIN_POSITIVE).sqrt() } else { rest / factors[j][j] };
            }
        }
        for i in 0..6 {
            let sum: f64 = (0..i).map(|k| factors[i][k] * x[k]).sum();
            x[i] = (x[i] - sum) / factors[i][i];
        }
        for i in (0..6).rev() {
            let sum: f64 = (i + 1..6).map(|k| factors[k][i] * x[k]).sum();
            x[i] = (x[i] - sum) / factors[i][i];
        }
    }
}
