// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.28;

/// @title Many calls in one, each allowed to fail by itself
/// @notice Stands in for Multicall3 on a local chain, with the part of its interface that this project uses.
contract StandInMulticall3 {
    /// @param target the contract to call
    /// @param allowFailure whether the others go on when this call reverts
    /// @param callData what to call it with
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    /// @param success whether the call returned
    /// @param returnData what it returned, or reverted with
    struct Result {
        bool success;
        bytes returnData;
    }

    /// @notice Makes every call in turn.
    /// @param calls the calls
    /// @return results one for each call, in the same order
    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool success, bytes memory returnData) = calls[i].target.call(calls[i].callData);
            require(success || calls[i].allowFailure, "StandInMulticall3: call failed");
            results[i] = Result(success, returnData);
        }
    }

    /// @return the chain's id
    function getChainId() external view returns (uint256) {
        return block.chainid;
    }

    /// @return the block's time, Unix seconds
    function getCurrentBlockTimestamp() external view returns (uint256) {
        return block.timestamp;
    }

    /// @notice Gives a number of another chain, as on Arbitrum, where `block.number` counts the blocks of Ethereum.
    /// @return a third of the chain's own block number: near Ethereum's where ours is near the mainnet's
    function getBlockNumber() external view returns (uint256) {
        return block.number / 3;
    }
}
