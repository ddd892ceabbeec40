package dev.millrace.cql.runtime.unit.aggregate;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.function.GroupAggregate;
import dev.millrace.cql.runtime.row.RowRejectedException;

/**
 * An aggregate that stores individual values: each is charged, and further ones are refused while memory is short.
 *
 * <p>Not thread-safe.
 */
abstract class RetainedValues implements GroupAggregate
{
    /** Bytes per value: an entry, its count, the object and references. */
    private static final long VALUE_BYTES = 96;

    private MemoryAccount memory = MemoryAccount.NONE;
    private int size;

    /** Sets the account to charge. */
    final void memory(final MemoryAccount of)
    {
        memory = of;
    }

    /** Refuses a further value while memory is short; called before any change. */
    final void need()
    {
        if (memory.isShort())
        {
            throw new RowRejectedException(MemoryAccount.MEMORY_FULL, memory.shortage());
        }
    }

    /** Charges a value. */
    final void kept()
    {
        memory.charge(VALUE_BYTES);
        size++;
    }

    /** Releases values. */
    final void gone(final int count)
    {
        memory.release(count * VALUE_BYTES);
        size -= count;
    }

    /** Called when the aggregate is no longer used: releases the memory of its values. */
    final void giveBack()
    {
        gone(size);
    }
}
