// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.28;

/// @title The function of ArbSys, Arbitrum's system contract, that this project calls
/// @notice For a local chain, where `block.number` already is the chain's own block number.
contract StandInArbSys {
    /// @return the number of the chain's own block
    function arbBlockNumber() external view returns (uint256) {
        return block.number;
    }
}
