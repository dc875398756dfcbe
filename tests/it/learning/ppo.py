"""Learns to balance the pole with PPO of Stable-Baselines3, and prints what came out as JSON.

    ppo.py WORLD dummy|subproc

The parameters are those of RL Baselines3 Zoo for CartPole-v1.
"""

import json
import sys
import time

import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv

from bridgehead.gym import CartPole

SEED, STEPS = 1, 100_000


class Returns(BaseCallback):
    """Collects the return of each episode, in the order of their ends."""

    def __init__(self):
        super().__init__()
        self.found = []

    def _on_step(self):
        self.found += [info["episode"]["r"] for info in self.locals["infos"] if "episode" in info]
        return True


def falling(begin):
    return lambda left: begin * left


def main():
    world, kind = sys.argv[1:]
    # Sums have the same order in each run, and small networks are faster on one core.
    torch.set_num_threads(1)
    vector = SubprocVecEnv if kind == "subproc" else DummyVecEnv
    envs = make_vec_env(CartPole, n_envs=8, seed=SEED, env_kwargs={"world": world}, vec_env_cls=vector)
    model = PPO(
        "MlpPolicy",
        envs,
        n_steps=32,
        batch_size=256,
        n_epochs=20,
        gamma=0.98,
        gae_lambda=0.8,
        ent_coef=0.0,
        learning_rate=falling(0.001),
        clip_range=falling(0.2),
        seed=SEED,
        device="cpu",
    )
    returns, begin = Returns(), time.perf_counter()
    model.learn(STEPS, callback=returns)
    seconds = time.perf_counter() - begin
    envs.close()
    # Starts that training has not seen.
    test = make_vec_env(CartPole, n_envs=1, seed=1000, env_kwargs={"world": world})
    mean, deviation = evaluate_policy(model, test, n_eval_episodes=100)
    test.close()
    print(json.dumps({"seconds": seconds, "returns": returns.found, "mean": float(mean), "deviation": float(deviation)}))


if __name__ == "__main__":
    main()
