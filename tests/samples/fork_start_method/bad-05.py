from stable_baselines3.common.vec_env import SubprocVecEnv

from games import make

if __name__ == "__main__":
    environments = SubprocVecEnv([make] * 4, start_method="forkserver")
