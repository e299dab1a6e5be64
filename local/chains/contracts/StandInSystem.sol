// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.28;

/// @title The functions of Multicall3 that this project calls, for a local chain
contract StandInMulticall3 {
    /// @param target the contract to call
    /// @param allowFailure whether the other calls continue when this one reverts
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    /// @param returnData what the call returned, or its revert data
    struct Result {
        bool success;
        bytes returnData;
    }

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
}

/// @title The function of ArbSys, Arbitrum's system contract, that this project calls, for a local chain
contract StandInArbSys {
    /// @return the number of the chain's own block, which a local chain has in `block.number`
    function arbBlockNumber() external view returns (uint256) {
        return block.number;
    }
}
