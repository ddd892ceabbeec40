package dev.millrace.samples.signalgeneration;

/** A stock symbol that is watched: the value type of the symbols cache. */
public final class MonitoredSymbol
{
    private String symbol;

    /** Makes an empty value; the platform sets it. */
    public MonitoredSymbol()
    {
    }

    /**
     * Makes a value.
     *
     * @param symbol stock symbol
     */
    public MonitoredSymbol(final String symbol)
    {
        this.symbol = symbol;
    }

    /**
     * The stock symbol.
     *
     * @return symbol
     */
    public String getSymbol()
    {
        return symbol;
    }

    /**
     * Sets the stock symbol.
     *
     * @param symbol stock symbol
     */
    public void setSymbol(final String symbol)
    {
        this.symbol = symbol;
    }

    @Override
    public String toString()
    {
        return "MonitoredSymbol[" + symbol + "]";
    }
}
