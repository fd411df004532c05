package dev.chatflow.lab.storm;

import java.util.List;

/**
 * What is hit by one fault at a time.
 *
 * @param target what one of its targets is called
 * @param targets how many there are, numbered from 1
 * @param quiet between two faults at least, in ms; at most three times as much
 */
public record Track(String target, int targets, long quiet, List<Kind> kinds) {}
