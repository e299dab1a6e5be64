"""Prints the status and price of every feed: python3 prices.py https://…/v1 [testnet] (Python 3.8 or later)"""
import decimal, http.client, json, sys, urllib.error, urllib.parse, urllib.request

if len(sys.argv) not in (2, 3):
    print(__doc__, file=sys.stderr)
    sys.exit(2)
base_url, *network = sys.argv[1:]
query = "?" + urllib.parse.urlencode({"network": network[0]}) if network else ""
try:
    response = urllib.request.urlopen(f"{base_url.rstrip('/')}/price{query}", timeout=15)
except urllib.error.HTTPError as error:
    response = error
except (OSError, ValueError) as error:
    sys.exit(f"No response: {getattr(error, 'reason', error)}")
try:
    # Decimals keep every digit. Doubles would round.
    body = json.load(response, parse_float=decimal.Decimal, parse_int=decimal.Decimal)
except (OSError, ValueError, http.client.HTTPException):
    sys.exit(f"No JSON: HTTP {response.code}")
if not isinstance(body, dict) or not isinstance(body.get("feeds"), list):
    is_problem = isinstance(body, dict) and "detail" in body
    sys.exit(f"{body['title']}: {body['detail']}" if is_problem else f"No prices: HTTP {response.code}")
for feed in body["feeds"]:
    status, served = feed.get("status"), "served" if feed.get("servesLatestRoundData") else "not served"
    price = "-" if feed.get("price") is None else format(feed["price"], "f")
    if "problem" in feed:
        status, served = feed["problem"]["title"], "-"
    print(f"{feed['symbol']:<10}{status:<18}{price:>16}  {feed.get('latestRoundDataReverts', served)}")
