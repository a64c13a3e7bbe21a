#!/usr/bin/env python3
"""Makes savers.train.csv and savers.test.csv: people that never were, and whether they save money. Categories, numbers, a name with a comma in
it, values that are missing, and one pair of categories that says more than its parts (Breda and welder)."""
import random

random.seed(7)
CITIES = ["Delft", "Leiden", "Gouda", "Utrecht", "Breda", "Zwolle"]
NAMES = ["de Vries", "Jansen", "Bakker", "Visser", "Smit"]
EDUCATION = {"primary": -1.2, "secondary": -0.4, "college": 0.5, "university": 1.3}
JOBS = {"baker": -0.3, "clerk": -0.2, "driver": -0.4, "nurse": 0.1, "teacher": 0.3, "welder": 0.4}


def row():
    name = f'"{random.choice(NAMES)}, {random.choice("ABCDEFGH")}."'
    age, hours = random.randint(18, 80), random.choice([16, 24, 32, 36, 40, 40, 40, 48])
    education, job, city = random.choice(list(EDUCATION)), random.choice(list(JOBS)), random.choice(CITIES)
    score = 0.04 * (age - 45) + 0.06 * (hours - 36) + EDUCATION[education] + JOBS[job]
    if (city, job) == ("Breda", "welder"):
        score += 1.5
    saves = "yes" if score + random.gauss(0, 0.8) > 0.1 else "no"
    age = "" if random.random() < 0.03 else str(age)
    city = "NA" if random.random() < 0.03 else city
    return ",".join([name, age, education, job, str(hours), city, saves])


for file, rows in ("train", 1500), ("test", 500):
    with open(f"savers.{file}.csv", "w") as out:
        print("name,age,education,job,hours,city,saves", file=out)
        for _ in range(rows):
            print(row(), file=out)
