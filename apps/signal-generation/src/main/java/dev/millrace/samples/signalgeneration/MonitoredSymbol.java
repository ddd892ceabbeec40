package dev.millrace.samples.signalgeneration;

/** A monitored stock symbol: the value type of the symbols cache. */
public final class MonitoredSymbol
{
    private String symbol;

    /** Creates an empty value, for the platform. */
    public MonitoredSymbol()
    {
    }

    /**
     * Creates a value.
     *
     * @param symbol stock symbol
     */
    public MonitoredSymbol(final String symbol)
    {
        this.symbol = symbol;
    }

    /** The stock symbol. */
    public String getSymbol()
    {
        return symbol;
    }

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
