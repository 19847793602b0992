/// The number from `low` to below `low + range` that ends with the most zero bytes: what an encoder ends with. May be 2³².
pub(crate) fn shortest(low: u32, range: u32) -> u64 {
    let (low, end) = (u64::from(low), u64::from(low) + u64::from(range));
    (0..=4)
        .rev()
        .map(|zeros| {
            let below = (1 << (8 * zeros)) - 1;
            (low + below) & !below
        })
        .find(|&value| value < end)
        .unwrap_or(low)
}
