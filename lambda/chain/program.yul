/// @title Reads price feeds within one eth_call
/// @notice Init code: an eth_call without `to` executes it and returns what it returns. The 20-byte addresses of the
///   feeds follow the code.
///   Output, in 32-byte words:
///     block     chain id, time in Unix seconds, number of the chain's own block
///     per feed  size of its code, then for latestDetail() and for latestRoundData():
///               whether the call succeeded (1 or 0, upper half), how many bytes it returned or reverted with (lower
///               half), and the first 160 of these bytes
/// @dev Every call of a feed is a STATICCALL with the same gas, which is fixed before the first one. So no feed can
///   change the words of another.
object "Program" {
    code {
        // 1. Lay out the memory: output, scratch word, addresses.
        let codeLength := datasize("Program")
        let feeds := div(sub(codesize(), codeLength), 20)
        let outputLength := add(96, mul(feeds, 416))
        let scratch := outputLength
        let addresses := add(scratch, 32)
        codecopy(addresses, codeLength, mul(feeds, 20))

        // 2. Fix the gas of each call: 300,000 to 600,000. A feed of the registry uses at most some 110,000. A feed
        //    with too little gas can return a false `No data`, so the program reverts when it cannot give each call
        //    300,000, which is enough for feeds whose price source uses less than some 280,000 gas. The sources of the
        //    registry use less than 50,000. The program reserves 200 gas for each byte of its output, the price of
        //    returning code. It also reserves one more share, for its own work and for the 64th that a call leaves to
        //    its caller (EIP-150).
        let reserve := mul(outputLength, 200)
        let shares := add(mul(feeds, 2), 1)
        if lt(gas(), add(reserve, mul(shares, 300000))) { revert(0, 0) }
        let share := div(sub(gas(), reserve), shares)
        if gt(share, 600000) { share := 600000 }

        // 3. Write the block. `number()` would be the number of Ethereum's block, so ArbSys is asked: arbBlockNumber().
        mstore(0, chainid())
        mstore(32, timestamp())
        mstore(scratch, shl(224, 0xa3b1b31d))
        if iszero(staticcall(50000, 0x64, scratch, 4, 64, 32)) { revert(0, 0) }
        if iszero(eq(returndatasize(), 32)) { revert(0, 0) }

        // 4. Write a row for each feed: the size of its code, latestDetail() and latestRoundData().
        for { let words := 96 } lt(words, outputLength) { words := add(words, 416) } {
            let feed := shr(96, mload(addresses))
            addresses := add(addresses, 20)
            mstore(words, extcodesize(feed))
            callFeed(feed, 0x4d8b59fb, share, scratch, add(words, 32))
            callFeed(feed, 0xfeaf968c, share, scratch, add(words, 224))
        }
        return(0, outputLength)

        function callFeed(feed, selector, share_, scratch_, words) {
            mstore(scratch_, shl(224, selector))
            let success := staticcall(share_, feed, scratch_, 4, add(words, 32), 160)
            mstore(words, or(shl(128, success), returndatasize()))
        }
    }
}
