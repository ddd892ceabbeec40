package dev.millrace.cql.functions.statistics;

/** Converts the arguments of aggregates to numbers. Stateless. */
public final class Numbers
{
    private Numbers()
    {
    }

    /** The numbers; {@code null} if one of the arguments is null. */
    public static double[] of(final Object[] arguments)
    {
        final double[] numbers = new double[arguments.length];
        for (int i = 0; i < numbers.length; i++)
        {
            if (arguments[i] == null)
            {
                return null;
            }
            numbers[i] = ((Number) arguments[i]).doubleValue();
        }
        return numbers;
    }
}
