package dev.millrace.api.event;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Open addressing from 64-bit keys to ids of a {@link Dictionary}: pairs of key and id side by side, id 0 marks a free
 * place. Several entries may have the same key; who asks goes on to the next place.
 *
 * <p>A small table is one array, at most one eighth full while that fits a core's second-level cache, since
 * collisions cost more than the memory. From {@value #FLAT_PLACES} places on it is cut into {@value #PARTS} parts by
 * the top bits of the hash; each is kept at most half full and grows alone, so that no insertion copies more than a
 * part.
 *
 * <p>Threads: readers take no lock; an id is written after its key, filled places never change, and a part or table
 * that has been replaced merely lacks what came later. Where keys differ and none is 0, readers need no order of
 * reads. Insertions are made by one thread at a time.
 */
final class IdTable
{
    /** Mixes a key that is not a hash yet. */
    static final long FACTOR = 0x9E3779B97F4A7C15L;

    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle TABLES = MethodHandles.arrayElementVarHandle(IdTable[].class);
    /** Places up to which a table is one array: 16 bytes a place make 512 KiB. */
    private static final int FLAT_PLACES = 1 << 15;
    private static final int INITIAL_PLACES = 256;
    private static final int PARTS = 256;
    private static final int PART_BITS = 8;
    private static final int PART_SHIFT = Long.SIZE - PART_BITS;

    /** Pairs; a table that has been cut keeps none. */
    private final long[] pairs;
    private final int shift;
    /** {@code null} while this is one array. */
    private final IdTable[] parts;
    /** Makes a hash of a key; 1 when keys are hashes. */
    private final long factor;
    private final boolean isPart;
    private int used;

    private IdTable(final int places, final long factor, final boolean isPart)
    {
        pairs = new long[places * 2];
        shift = Long.SIZE - Integer.numberOfTrailingZeros(places);
        parts = null;
        this.factor = factor;
        this.isPart = isPart;
    }

    private IdTable(final IdTable[] parts, final long factor)
    {
        pairs = new long[0];
        shift = 0;
        this.parts = parts;
        this.factor = factor;
        isPart = false;
    }

    /** Makes an empty one; the factor is {@link #FACTOR}, or 1 when keys are hashes already. */
    static IdTable empty(final long factor)
    {
        return new IdTable(INITIAL_PLACES, factor, false);
    }

    /** The array in which a hash has its place: this one or a part. */
    IdTable partOf(final long hash)
    {
        return parts == null ? this : (IdTable)TABLES.getAcquire(parts, (int)(hash >>> PART_SHIFT));
    }

    /** Of an array: where the search for a hash starts. */
    int start(final long hash)
    {
        return (int)((isPart ? hash << PART_BITS : hash) >>> shift) << 1;
    }

    /** Of an array: where the search goes on. */
    int next(final int index)
    {
        return index + 2 & pairs.length - 1;
    }

    /** Of an array: the id at a place, 0 when it is free. */
    int id(final int index)
    {
        return (int)(long)LONGS.getAcquire(pairs, index + 1);
    }

    /** Of an array: the key at a place that is not free. */
    long key(final int index)
    {
        return pairs[index];
    }

    /**
     * Of an array whose keys differ: the id of a key that is not 0, 0 when it is not here. Places are read without
     * order: whoever sees only part of an entry is told that it is not here.
     */
    int find(final long hash, final long key)
    {
        final long[] places = pairs;
        final int mask = places.length - 1;
        int index = start(hash);
        while (places[index] != key)
        {
            if (places[index] == 0)
            {
                return 0;
            }
            index = index + 2 & mask;
        }
        return (int)places[index + 1];
    }

    /** Puts an entry in; gives the table to go on with, which is this one unless it had to grow as a whole. */
    IdTable insert(final long key, final int id)
    {
        if (parts != null)
        {
            final int number = (int)((key * factor) >>> PART_SHIFT);
            final IdTable part = parts[number];
            final IdTable roomy = part.isCrowded() ? part.doubled() : part;
            roomy.put(key, id);
            TABLES.setRelease(parts, number, roomy);
            return this;
        }
        if (!isCrowded())
        {
            put(key, id);
            return this;
        }
        return (pairs.length / 2 < FLAT_PLACES ? doubled() : cut()).insert(key, id);
    }

    private boolean isCrowded()
    {
        final int places = pairs.length / 2;
        return used >= (isPart ? places / 2 : places / 8);
    }

    private IdTable doubled()
    {
        final IdTable larger = new IdTable(pairs.length, factor, isPart);
        for (int i = 0; i < pairs.length; i += 2)
        {
            if (pairs[i + 1] != 0)
            {
                larger.put(pairs[i], (int)pairs[i + 1]);
            }
        }
        return larger;
    }

    private IdTable cut()
    {
        final IdTable[] pieces = new IdTable[PARTS];
        for (int i = 0; i < PARTS; i++)
        {
            pieces[i] = new IdTable(FLAT_PLACES / PARTS, factor, true);
        }
        IdTable whole = new IdTable(pieces, factor);
        for (int i = 0; i < pairs.length; i += 2)
        {
            if (pairs[i + 1] != 0)
            {
                whole = whole.insert(pairs[i], (int)pairs[i + 1]);
            }
        }
        return whole;
    }

    private void put(final long key, final int id)
    {
        int index = start(key * factor);
        while (pairs[index + 1] != 0)
        {
            index = next(index);
        }
        pairs[index] = key;
        LONGS.setRelease(pairs, index + 1, (long)id);
        used++;
    }
}
