// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.28;

/// @title A price feed with a state that anyone can set
/// @notice For a local chain: it has the functions of the real feed that this project calls, and its rules about when
///   a price is served.
/// @dev Has no immutable state, so its runtime code works at any address.
contract StandInFeed {
    /// @dev The numbers 0 to 6 are part of the real feed's interface.
    enum FeedStatus {
        OK,
        MARKET_CLOSED,
        STALE,
        ORACLE_PAUSED,
        STRADDLE,
        CORPORATE_ACTION,
        NO_DATA
    }

    /// @param answer US dollars per token, 8 decimals
    /// @param observedAt when the share price was observed, Unix seconds
    struct Quote {
        FeedStatus status;
        int256 answer;
        uint64 observedAt;
    }

    /// @param sharePrice US dollars per share, 8 decimals
    /// @param multiplier shares per token, 18 decimals
    struct State {
        Quote quote;
        int256 sharePrice;
        uint256 multiplier;
    }

    /// @notice The feed has no price that a contract should act on.
    error FeedUnavailable(FeedStatus status);

    /// @dev The first two slots, which the start of a local chain fills.
    address public token;
    uint32 public maxAge;
    string public description;

    State private state;

    /// @notice Whether the price of a closed market is served: every registered feed serves it.
    bool public constant allowMarketClosed = true;

    /// @notice Returns the state at any status: zeros when there is no data.
    function latestDetail() external view returns (Quote memory quote, int256 sharePrice, uint256 multiplier) {
        if (state.quote.status == FeedStatus.NO_DATA) return (Quote(FeedStatus.NO_DATA, 0, 0), 0, 0);
        return (state.quote, state.sharePrice, state.multiplier);
    }

    /// @notice Returns the price when a contract may act on it, and otherwise reverts with `FeedUnavailable`.
    /// @return roundId the observation time, Unix seconds, like `startedAt`, `updatedAt` and `answeredInRound`
    /// @return answer US dollars per token, 8 decimals
    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        Quote memory quote = state.quote;
        bool serves = quote.status == FeedStatus.OK || quote.status == FeedStatus.MARKET_CLOSED;
        if (!serves) revert FeedUnavailable(quote.status);
        return (quote.observedAt, quote.answer, quote.observedAt, quote.observedAt, quote.observedAt);
    }

    function set(State calldata next) external {
        state = next;
    }
}
