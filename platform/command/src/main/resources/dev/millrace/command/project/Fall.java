package @package@;

/** The price of a symbol fell four times in succession. */
public final class Fall
{
    private String symbol;
    private double high;
    private double low;

    public String getSymbol()
    {
        return symbol;
    }

    public void setSymbol(final String symbol)
    {
        this.symbol = symbol;
    }

    /** Returns the price before the first fall. */
    public double getHigh()
    {
        return high;
    }

    public void setHigh(final double high)
    {
        this.high = high;
    }

    /** Returns the price after the last fall. */
    public double getLow()
    {
        return low;
    }

    public void setLow(final double low)
    {
        this.low = low;
    }

    /** Returns by how many percent the price fell. */
    public double percent()
    {
        return 100 * (high - low) / high;
    }
}
