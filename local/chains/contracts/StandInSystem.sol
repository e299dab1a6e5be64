// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.28;

/// @title Makes several calls in one transaction, and so in one block, of a local chain
contract Batch {
    /// @notice Makes each call. Reverts when one does.
    /// @param targets the contracts to call
    /// @param callDatas what each is called with
    function run(address[] calldata targets, bytes[] calldata callDatas) external {
        for (uint256 i = 0; i < targets.length; i++) {
            (bool success,) = targets[i].call(callDatas[i]);
            require(success, "Batch: call failed");
        }
    }
}

/// @title The function of ArbSys, Arbitrum's system contract, that this project calls, for a local chain
contract StandInArbSys {
    /// @return the number of the chain's own block, which a local chain has in `block.number`
    function arbBlockNumber() external view returns (uint256) {
        return block.number;
    }
}
