package dev.millrace.cql.runtime;

import dev.millrace.api.memory.MemoryAccount;
import java.util.function.IntUnaryOperator;

/**
 * Numbers by the hash of what they stand for: open addressing with linear probing, at most half full. Whose number is
 * looked for is the caller's business, who goes through the places of a hash.
 *
 * <p>From {@value #SPLIT_PLACES} places on the table is cut into {@value #SEGMENTS} segments by the top bits of the
 * hash, each of which grows alone, so that no call moves more than a 256th of all: there are twice as many segments,
 * since they are not equally full.
 *
 * <p>Threads: confined to one thread. Ownership: the arrays are this object's; a caller reads them until its next
 * change.
 */
public final class HashPlaces
{
    private static final int SPLIT_PLACES = 1 << 13;
    private static final int SEGMENT_BITS = 9;
    private static final int SEGMENTS = 1 << SEGMENT_BITS;
    private static final int SEGMENT_SHIFT = Integer.SIZE - SEGMENT_BITS;

    private final IntUnaryOperator hashes;
    private final MemoryAccount memory;
    /** Numbers plus one; 0 is a free place. */
    private int[][] segments;
    private int[] used = new int[1];
    private int segmentMask;

    /**
     * Makes an empty table.
     *
     * @param places to begin with, a power of two
     * @param hashes gives the hash of a number that is in the table
     */
    public HashPlaces(final int places, final IntUnaryOperator hashes)
    {
        this(places, hashes, MemoryAccount.NONE);
    }

    /**
     * Makes an empty table.
     *
     * @param places to begin with, a power of two
     * @param hashes gives the hash of a number that is in the table
     * @param memory is charged what the table grows by
     */
    public HashPlaces(final int places, final IntUnaryOperator hashes, final MemoryAccount memory)
    {
        this.hashes = hashes;
        this.memory = memory;
        segments = new int[1][places];
    }

    /**
     * Where all numbers of a hash are, and others: plus one, from {@code hash & length - 1} on, around the end, up to a
     * place that is 0.
     *
     * @param hash of what is looked for
     * @return the array itself
     */
    public int[] places(final int hash)
    {
        return segments[hash >>> SEGMENT_SHIFT & segmentMask];
    }

    /**
     * Adds a number, also when there are others of its hash.
     *
     * @param hash   of what it stands for
     * @param number from 0
     */
    public void add(final int hash, final int number)
    {
        int segment = hash >>> SEGMENT_SHIFT & segmentMask;
        if (isCrowded(segment))
        {
            grow(segment);
            segment = hash >>> SEGMENT_SHIFT & segmentMask;
        }
        put(segment, hash, number);
    }

    private boolean isCrowded(final int segment)
    {
        return used[segment] * 2 >= segments[segment].length;
    }

    private void grow(final int segment)
    {
        final int[] old = segments[segment];
        memory.charge((long)old.length * Integer.BYTES);
        if (segmentMask == 0 && old.length >= SPLIT_PLACES)
        {
            segments = new int[SEGMENTS][SPLIT_PLACES / SEGMENTS * 2];
            used = new int[SEGMENTS];
            segmentMask = SEGMENTS - 1;
        }
        else
        {
            segments[segment] = new int[old.length * 2];
            used[segment] = 0;
        }
        for (final int place : old)
        {
            if (place != 0)
            {
                final int hash = hashes.applyAsInt(place - 1);
                final int target = hash >>> SEGMENT_SHIFT & segmentMask;
                while (isCrowded(target))
                {
                    grow(target);
                }
                put(target, hash, place - 1);
            }
        }
    }

    private void put(final int segment, final int hash, final int number)
    {
        final int[] places = segments[segment];
        final int mask = places.length - 1;
        int index = hash & mask;
        while (places[index] != 0)
        {
            index = index + 1 & mask;
        }
        places[index] = number + 1;
        used[segment]++;
    }

    private static int indexOf(final int[] places, final int hash, final int number)
    {
        int index = hash & places.length - 1;
        while (places[index] != number + 1)
        {
            index = index + 1 & places.length - 1;
        }
        return index;
    }

    /**
     * Puts a number in the place of another of the same hash.
     *
     * @param hash   of both
     * @param number that is there
     * @param by     the other
     */
    public void replace(final int hash, final int number, final int by)
    {
        final int[] places = places(hash);
        places[indexOf(places, hash, number)] = by + 1;
    }

    /**
     * Removes a number; later ones of its run move back, so that no mark is needed.
     *
     * @param hash   of what it stands for
     * @param number that is there
     */
    public void remove(final int hash, final int number)
    {
        final int[] places = places(hash);
        final int mask = places.length - 1;
        int gap = indexOf(places, hash, number);
        int index = gap + 1 & mask;
        while (places[index] != 0)
        {
            final int home = hashes.applyAsInt(places[index] - 1) & mask;
            if ((index - home & mask) >= (index - gap & mask))
            {
                places[gap] = places[index];
                gap = index;
            }
            index = index + 1 & mask;
        }
        places[gap] = 0;
        used[hash >>> SEGMENT_SHIFT & segmentMask]--;
    }
}
