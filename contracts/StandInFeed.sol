// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.28;

/// @title A price feed that says whatever it was told to say
/// @notice Stands in for the real feed on a local chain: same functions, same errors, same rules about what is served.
/// Anyone may change it, so it is worth nothing on a chain that others use.
/// @dev Holds no constant of its own beyond `decimals`, so that its runtime code works at any address.
contract StandInFeed {
    /// @dev In the real feed's order: the numbers 0 to 6 are part of its interface.
    enum FeedStatus {
        OK,
        MARKET_CLOSED,
        STALE,
        ORACLE_PAUSED,
        STRADDLE,
        CORPORATE_ACTION,
        NO_DATA
    }

    /// @param status what the feed says about its own price
    /// @param answer US dollars per token, 8 decimals
    /// @param observedAt when the share price was observed, Unix seconds
    struct Quote {
        FeedStatus status;
        int256 answer;
        uint64 observedAt;
    }

    /// @param quote the quote that `latestDetail()` gives
    /// @param sharePrice US dollars per share, 8 decimals
    /// @param multiplier shares per token, 18 decimals
    /// @param servesWhenClosed whether `latestRoundData()` serves while the market is closed
    /// @param token the token that the feed prices
    struct State {
        Quote quote;
        int256 sharePrice;
        uint256 multiplier;
        bool servesWhenClosed;
        address token;
    }

    enum Manner {
        BEHAVE,
        RETURN,
        REVERT
    }

    /// @param manner how the function ends
    /// @param answer the exact bytes that it ends with; may be empty
    struct Misbehaviour {
        Manner manner;
        bytes answer;
    }

    /// @notice The feed has no price that a contract should act on.
    error FeedUnavailable(FeedStatus status);

    /// @notice The feed keeps the latest round only.
    error NoHistory();

    State private state;
    mapping(bytes4 selector => Misbehaviour) private misbehaviours;

    /// @dev Ends the call with the bytes that `misbehave` set for this function, if it set any.
    modifier mayMisbehave() {
        Misbehaviour storage misbehaviour = misbehaviours[msg.sig];
        if (misbehaviour.manner != Manner.BEHAVE) {
            bytes memory answer = misbehaviour.answer;
            if (misbehaviour.manner == Manner.RETURN) {
                assembly {
                    return(add(answer, 32), mload(answer))
                }
            }
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
        _;
    }

    /// @notice Gives all that the feed knows, whatever its status: zeros when there is no data.
    /// @return quote status, answer (8 decimals) and observation time (Unix seconds)
    /// @return sharePrice US dollars per share, 8 decimals
    /// @return multiplier shares per token, 18 decimals
    function latestDetail()
        external
        view
        mayMisbehave
        returns (Quote memory quote, int256 sharePrice, uint256 multiplier)
    {
        if (state.quote.status == FeedStatus.NO_DATA) return (Quote(FeedStatus.NO_DATA, 0, 0), 0, 0);
        return (state.quote, state.sharePrice, state.multiplier);
    }

    /// @notice Gives the price when a contract may act on it, and reverts with `FeedUnavailable` otherwise.
    /// @return roundId the observation time, Unix seconds; so are `startedAt`, `updatedAt` and `answeredInRound`
    /// @return answer US dollars per token, 8 decimals
    function latestRoundData()
        external
        view
        mayMisbehave
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        Quote memory quote = state.quote;
        bool serves = quote.status == FeedStatus.OK
            || (quote.status == FeedStatus.MARKET_CLOSED && state.servesWhenClosed);
        if (!serves) revert FeedUnavailable(quote.status);
        return (quote.observedAt, quote.answer, quote.observedAt, quote.observedAt, quote.observedAt);
    }

    /// @notice Refuses every round but the latest, as the real feed does.
    function getRoundData(uint80) external view mayMisbehave returns (uint80, int256, uint256, uint256, uint80) {
        revert NoHistory();
    }

    /// @return the decimals of `answer`
    function decimals() external view mayMisbehave returns (uint8) {
        return 8;
    }

    /// @return the token that the feed prices
    function token() external view mayMisbehave returns (address) {
        return state.token;
    }

    /// @notice Replaces all that the feed says.
    function set(State calldata next) external {
        state = next;
    }

    /// @notice Makes one function end with exactly these bytes, until it is told to behave again.
    /// @param selector the function's first four bytes
    /// @param manner behave, return the bytes, or revert with them
    /// @param answer the bytes; may be empty
    function misbehave(bytes4 selector, Manner manner, bytes calldata answer) external {
        misbehaviours[selector] = Misbehaviour(manner, answer);
    }
}
