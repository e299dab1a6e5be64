"""Prints the status and price of every feed: python3 prices.py https://…/v1 [testnet] (Python 3.8 or later)"""
import decimal, json, sys, urllib.error, urllib.parse, urllib.request

if len(sys.argv) not in (2, 3):
    print(__doc__, file=sys.stderr)
    sys.exit(2)
base_url, *network = sys.argv[1:]
query = "?" + urllib.parse.urlencode({"network": network[0]}) if network else ""
try:
    with urllib.request.urlopen(f"{base_url.rstrip('/')}/price{query}", timeout=15) as response:
        # Decimals keep every digit. Doubles would round.
        feeds = json.load(response, parse_float=decimal.Decimal, parse_int=decimal.Decimal)["feeds"]
except urllib.error.HTTPError as error:
    is_problem = error.headers.get_content_type() == "application/problem+json"
    problem = json.load(error) if is_problem else {"title": "No prices", "detail": error}
    sys.exit(f"{problem['title']}: {problem['detail']}")
except (OSError, ValueError) as error:
    sys.exit(f"No response: {getattr(error, 'reason', error)}")
except (KeyError, TypeError):
    sys.exit("No prices: the response has no feeds.")
for feed in feeds:
    status, served = feed.get("status"), "served" if feed.get("servesLatestRoundData") else "not served"
    price = "-" if feed.get("price") is None else format(feed["price"], "f")
    if "problem" in feed:
        status, served = feed["problem"]["title"], "-"
    print(f"{feed['symbol']:<10}{status:<18}{price:>16}  {feed.get('latestRoundDataReverts', served)}")
