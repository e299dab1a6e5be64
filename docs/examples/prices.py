"""Prints what every feed says: python3 prices.py https://…/v1 [testnet]"""
import decimal, json, sys, urllib.error, urllib.parse, urllib.request

base_url, *network = sys.argv[1:]
query = "?" + urllib.parse.urlencode({"network": network[0]}) if network else ""
try:
    with urllib.request.urlopen(f"{base_url.rstrip('/')}/price{query}", timeout=15) as answer:
        feeds = json.load(answer, parse_float=decimal.Decimal, parse_int=decimal.Decimal)["feeds"]
except urllib.error.HTTPError as refused:
    is_ours = refused.headers.get_content_type() == "application/problem+json"
    problem = json.load(refused) if is_ours else {"title": "No answer", "detail": refused}
    sys.exit(f"{problem['title']}: {problem['detail']}")
except (OSError, ValueError) as silent:
    sys.exit(f"No answer: {getattr(silent, 'reason', silent)}")
for feed in feeds:
    status, served = feed.get("status"), "served" if feed.get("servesLatestRoundData") else "not served"
    price = "-" if feed.get("price") is None else format(feed["price"], "f")
    if "problem" in feed:
        status, served = feed["problem"]["title"], "-"
    print(f"{feed['symbol']:<10}{status:<18}{price:>16}  {feed.get('latestRoundDataReverts', served)}")
