// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// Pays many recipients in one transaction, as exchanges do: one transaction, many Transfer logs. For tests.
contract Batch {
    /// The caller has allowed this contract to move the sum.
    function pay(IERC20 token, address[] calldata recipients, uint256[] calldata amounts) external {
        for (uint256 i = 0; i < recipients.length; i++) {
            require(token.transferFrom(msg.sender, recipients[i], amounts[i]));
        }
    }
}
