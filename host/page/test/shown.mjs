// What a page shows, for the comparison of a run with its recording.

export const PLOTTED = { topic: "/car1/odom", path: "pose.pose.position.x" };

export async function shown(page) {
  return page.evaluate(({ topic, path }) => {
    const { view, plots, host } = window.bridgehead;
    const world = view.world.get();
    return {
      nodes: world.scene.nodes.map(({ name }) => name),
      visuals: world.scene.visuals,
      poses: Array.from(world.poses),
      plot: plots.data(topic, path),
      entities: host.entities.get(),
    };
  }, PLOTTED);
}
