package @package@;

import java.util.Random;
import java.util.function.DoubleSupplier;

/** A temperature that rises and falls between 20 and 80 degrees. One thread at a time calls it. */
public final class SimulatedSensor implements DoubleSupplier
{
    private final Random random = new Random();
    private double celsius = 50;

    @Override
    public double getAsDouble()
    {
        celsius = Math.max(20, Math.min(80, celsius + 5 * random.nextGaussian()));
        return celsius;
    }
}
