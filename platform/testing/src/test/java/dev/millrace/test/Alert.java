package dev.millrace.test;

/** An event of the application of the tests. */
public final class Alert
{
    private int order;
    private String text;

    public int getOrder()
    {
        return order;
    }

    public void setOrder(final int order)
    {
        this.order = order;
    }

    public String getText()
    {
        return text;
    }

    public void setText(final String text)
    {
        this.text = text;
    }
}
