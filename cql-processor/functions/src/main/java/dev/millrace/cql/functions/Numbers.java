package dev.millrace.cql.functions;

/** The arguments of aggregates as numbers. Keeps no state. */
final class Numbers
{
    private Numbers()
    {
    }

    /** The numbers; {@code null} when one of the arguments is null. */
    static double[] of(final Object[] arguments)
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
