#!/usr/bin/python3
# Writes pytorch_training_steps.json beside it: parameters after 30 steps of PyTorch's own SGD and Adam, in float64, for
# attention built of PyTorch's own operations. Needs Debian's python3-torch (made with 1.13.1):
#   /usr/bin/python3 tests/vectors/make_training_steps.py
# It shares no code with this project. Read next: README.md, ../node/training.test.js.
import json
import math
import os

import torch

STEPS = 30


def numbers(tensor):
    return {"shape": list(tensor.shape), "data": [float(f"{x:.9g}") for x in tensor.detach().reshape(-1).tolist()]}


def attention(x, p, heads, causal):
    """[B, T, d_in] to [B, T, d_out], or to [B, T, out_width] with a w_out."""
    batch, tokens, _ = x.shape

    def project(name):
        rows = x @ p["w_" + name] + p.get("b_" + name, 0)
        return rows.reshape(batch, tokens, heads, -1).transpose(1, 2)

    query, key, value = project("query"), project("key"), project("value")
    scores = query @ key.transpose(2, 3) / math.sqrt(query.shape[3])
    if causal:
        later = torch.triu(torch.ones(tokens, tokens, dtype=torch.bool), diagonal=1)
        scores = scores.masked_fill(later, -math.inf)
    context = (torch.softmax(scores, dim=3) @ value).transpose(1, 2).reshape(batch, tokens, -1)
    return context @ p["w_out"] + p.get("b_out", 0) if "w_out" in p else context


def shapes(d_in, d_out, out_width, biases):
    for name in ("query", "key", "value"):
        yield "w_" + name, (d_in, d_out)
        if biases:
            yield "b_" + name, (d_out,)
    if out_width:
        yield "w_out", (d_out, out_width)
        if biases:
            yield "b_out", (out_width,)


def case(name, batch, tokens, d_in, d_out, heads, causal, out_width, biases, rows, optimizer, rate, momentum=0.0):
    torch.manual_seed(2024)

    def draw(*shape):  # float32, so that the numbers in the file are those that were used
        return (2 * torch.rand(*shape) - 1).double()

    inputs = draw(batch, tokens, d_in)
    targets = draw(batch, tokens, out_width or d_out)
    start = {key: draw(*shape) for key, shape in shapes(d_in, d_out, out_width, biases)}
    p = {key: tensor.clone().requires_grad_() for key, tensor in start.items()}
    if optimizer == "adam":
        descent = torch.optim.Adam(p.values(), lr=rate)
    else:
        descent = torch.optim.SGD(p.values(), lr=rate, momentum=momentum)
    losses, norms = [], []
    for _ in range(STEPS):
        descent.zero_grad()
        result = attention(inputs, p, heads, causal)
        loss = torch.nn.functional.mse_loss(result[:, rows], targets[:, rows])
        loss.backward()
        losses.append(loss.item())
        norms.append(math.sqrt(sum((tensor.grad ** 2).sum().item() for tensor in p.values())))
        descent.step()
    return {
        "name": name,
        "params": {"num_heads": heads, "causal": causal, "target_rows": rows, "optimizer": optimizer,
                   "learning_rate": rate, "momentum": momentum, "steps": STEPS},
        "inputs": numbers(inputs), "targets": numbers(targets),
        "start": {key: numbers(tensor) for key, tensor in start.items()},
        "expected": {key: numbers(tensor) for key, tensor in p.items()},
        "losses": losses, "gradient_norms": norms,
    }


ALL = dict(batch=3, tokens=5, d_in=3, d_out=4, heads=2, causal=True, out_width=6, biases=True, rows=[0, 1, 2, 3, 4])
ONE = dict(batch=1, tokens=6, d_in=3, d_out=2, heads=1, causal=False, out_width=0, biases=False, rows=[1, 2, 5])
cases = [
    case("all_sgd", **ALL, optimizer="sgd", rate=0.5),
    case("all_momentum", **ALL, optimizer="sgd", rate=0.1, momentum=0.9),
    case("all_adam", **ALL, optimizer="adam", rate=0.02),
    case("one_sgd", **ONE, optimizer="sgd", rate=1.0),
    case("one_momentum", **ONE, optimizer="sgd", rate=0.1, momentum=0.9),
    case("one_adam", **ONE, optimizer="adam", rate=0.05),
]
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pytorch_training_steps.json")
with open(path, "w", encoding="ascii") as file:
    json.dump(cases, file, separators=(",", ":"))
    file.write("\n")
