"""What a project asks of the doctor: its configuration, requirements, ignored paths and baseline."""
