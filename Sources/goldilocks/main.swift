print("goldilocks")
