// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Burnable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";

/// A coin whose whole supply is minted once, to the treasury. It has no owner and nothing can mint more of it.
contract Token is ERC20, ERC20Burnable {
    uint8 private immutable _decimals;

    /// `supply` is in the smallest unit.
    constructor(string memory name_, string memory symbol_, uint8 decimals_, uint256 supply, address treasury)
        ERC20(name_, symbol_)
    {
        _decimals = decimals_;
        _mint(treasury, supply);
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }
}
