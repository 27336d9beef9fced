-- What a guest is asked beside account number and ZIP code before a bill is shown.
ALTER TABLE payment_settings
  ADD COLUMN guest_fact text NOT NULL DEFAULT 'none' CHECK (guest_fact IN ('none', 'last_name', 'last_bill'));
