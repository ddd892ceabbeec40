package dev.millrace.cluster.cache;

import java.util.Arrays;

/** A byte array as a map key; the array must not be modified. */
final class Key
{
    private final byte[] bytes;
    private final int hash;

    Key(final byte[] bytes)
    {
        this.bytes = bytes;
        hash = Arrays.hashCode(bytes);
    }

    byte[] bytes()
    {
        return bytes;
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof Key key && hash == key.hash && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode()
    {
        return hash;
    }
}
