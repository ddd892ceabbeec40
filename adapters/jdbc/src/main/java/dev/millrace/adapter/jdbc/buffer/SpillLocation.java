package dev.millrace.adapter.jdbc.buffer;

/**
 * Location of a block in a spill file.
 *
 * @param file   contains the block
 * @param extent record of the block
 */
public record SpillLocation(SpillFile file, SpillFile.Extent extent)
{
}
