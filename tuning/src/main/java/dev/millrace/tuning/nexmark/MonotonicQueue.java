package dev.millrace.tuning.nexmark;

/** The maximum or minimum of the values in a window: values that a later one exceeds are discarded. Not thread-safe. */
final class MonotonicQueue
{
    private final int sign;
    private long[] values = new long[4];
    private long[] numbers = new long[4];
    private int head;
    private int size;

    private MonotonicQueue(final int sign)
    {
        this.sign = sign;
    }

    static MonotonicQueue greatest()
    {
        return new MonotonicQueue(1);
    }

    static MonotonicQueue least()
    {
        return new MonotonicQueue(-1);
    }

    void push(final long value, final long number)
    {
        while (size > 0 && values[head + size - 1 & values.length - 1] * sign <= value * sign)
        {
            size--;
        }
        if (size == values.length)
        {
            grow();
        }
        values[head + size & values.length - 1] = value;
        numbers[head + size & values.length - 1] = number;
        size++;
    }

    /** Removes a row; rows leave in order of arrival. */
    void leave(final long number)
    {
        if (size > 0 && numbers[head] <= number)
        {
            head = head + 1 & values.length - 1;
            size--;
        }
    }

    long first()
    {
        return values[head];
    }

    void clear()
    {
        size = 0;
    }

    private void grow()
    {
        final long[] newValues = new long[size * 2];
        final long[] newNumbers = new long[size * 2];
        for (int i = 0; i < size; i++)
        {
            newValues[i] = values[head + i & size - 1];
            newNumbers[i] = numbers[head + i & size - 1];
        }
        values = newValues;
        numbers = newNumbers;
        head = 0;
    }
}
